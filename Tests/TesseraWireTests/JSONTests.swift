// SPDX-License-Identifier: MIT
// Tests of the JSON parser and serializer: strictness, limits and lossless round trips.

import TesseraWire
import Testing

@Suite struct JSONTests {
  @Test(arguments: [
    #"{"a":1,"b":[true,false,null,"x"],"c":{}}"#,
    #"{"z":1,"a":12345678901234567890123,"m":1.50,"e":-2E+7}"#,
    #""\"\\\u0000 ü 😀""#, "[]", "0", "-0.0",
  ])
  func `serializing a parsed text returns it unchanged`(_ text: String) throws {
    #expect(try JSONValue(parsing: text).serialized == text)
  }

  @Test func `escapes are parsed`() throws {
    let value = try JSONValue(parsing: #""\u00fc\ud83d\ude00\n\/\"\\""#)
    #expect(value.string == "ü😀\n/\"\\")
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", #"{"a":1,}"#, "01", "1.", "+1", ".5", "1e", "nul", "'a'", "\"a",
    "\"\\x\"",
    #""\ud800""#, #""\ud800\u0041""#, "[1] 2", "{\"a\" 1}", "{1:2}", "\"\n\"", "NaN", "[", "]",
    "\u{FEFF}{}",
  ])
  func `text that is not JSON is rejected`(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test(arguments: [
    (#""a\ud83d""#, "a\u{FFFD}"), (#""\ude00b""#, "\u{FFFD}b"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\n\ud83d""#, "\u{FFFD}\n\u{FFFD}"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"),
  ])
  func `an unpaired surrogate is replaced in display members only`(
    _ text: String, _ expected: String
  ) throws {
    let parse = { (json: String) in
      try JSONValue(parsing: Array(json.utf8), displayMembers: ["name"])
    }
    #expect(try parse("{\"name\":\(text)}").object?["name"]?.string == expected)
    for json in [
      text, "{\"sub\":\(text)}", "{\(text):1}", "{\"name\":{\"sub\":\(text)}}",
      "{\"name\":\"\",\"sub\":\(text)}", "[{\"name\":\"\"},\(text)]",
      "{\"name\":{\(text):1}}",
    ] {
      #expect(throws: JSONError.self) { try parse(json) }
    }
  }

  @Test func `invalid UTF-8 is rejected`() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22]) }
  }

  @Test func `text over the depth or size limit is rejected`() throws {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try JSONValue(parsing: deep) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[" + deep + "]") }
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2]", limits: .init(bytes: 4)) }
  }

  @Test func `numbers and numeric strings have an integer value`() throws {
    let object = try #require(
      JSONValue(parsing: #"{"n":3600,"t":"3600","f":3599.9,"x":"abc"}"#).object)
    #expect(object["n"]?.integer == 3600)
    #expect(object["t"]?.integer == 3600)
    #expect(object["f"]?.integer == 3599)
    #expect(object["x"]?.integer == nil)
    #expect(try JSONValue(parsing: "1e300").integer == nil)
  }

  @Test func `members keep their order and can be replaced in place`() throws {
    var object = try #require(JSONValue(parsing: #"{"b":1,"a":2,"c":3}"#).object)
    object["a"] = 9
    object["b"] = nil
    object["d"] = "x"
    #expect(JSONValue.object(object).serialized == #"{"a":9,"c":3,"d":"x"}"#)
  }

  @Test func `the last of two members with the same name is used`() throws {
    let twice = try JSONValue(parsing: #"{"a":1,"a":2}"#)
    #expect(twice.object?["a"]?.integer == 2)
    #expect(twice == twice)
    #expect(twice == ["a": 2])
    #expect(twice.hashValue == (["a": 2] as JSONValue).hashValue)
  }

  @Test(arguments: ["\"", "\\", "\u{1F}", "\n", " ", "\u{7F}", "ä", "€", "𝄞"])
  func `strings with special characters at any position round-trip`(_ special: String) throws {
    for length in 0..<20 {
      for position in 0...length {
        let plain = String(repeating: "x", count: length)
        let text = plain.prefix(position) + special + plain.dropFirst(position)
        let value = JSONValue.string(String(text))
        #expect(try JSONValue(parsing: value.bytes) == value)
      }
    }
  }

  @Test(arguments: [0x00, 0x1F, 0x80, 0xC3, 0xFF] as [UInt8])
  func `an invalid byte at any position of a string is rejected`(_ byte: UInt8) {
    for position in 0..<20 {
      var bytes = Array("\"\(String(repeating: "x", count: 20))\"".utf8)
      bytes[position + 1] = byte
      #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }
  }

  @Test(arguments: [
    ("{}", true), (#" {"a":[1,-2.5e+3,{"b":null}],"c":"Zoë 😀","d":true} "#, true), ("[]", false),
    ("", false), ("1", false), (#"{"a":"\n"}"#, false), (#"{"a":"\ud800"}"#, false),
    ("{\"a\":1}x", false),
    (#"{"a":01}"#, false), (#"{"a" 1}"#, false), (#"{"a":1,}"#, false),
    ("{\"a\":\"\u{1}\"}", false),
    (#"{"a":nul}"#, false), (#"{"a":"b"#, false), (#"{"a":truely}"#, false),
  ])
  func `an object without escape sequences can be copied`(_ text: String, _ isPlain: Bool) {
    #expect(JSONValue.isPlainObject(Array(text.utf8)) == isPlain)
    if isPlain { #expect(throws: Never.self) { try JSONValue(parsing: text) } }
  }

  @Test func `an object with invalid UTF-8 or too deep nesting is not copied`() {
    #expect(!JSONValue.isPlainObject(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)))
    let deep =
      "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}"
    #expect(!JSONValue.isPlainObject(Array(deep.utf8)))
  }
}
