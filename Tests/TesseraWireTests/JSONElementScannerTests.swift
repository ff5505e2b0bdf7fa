// SPDX-License-Identifier: MIT
// Tests of the scanner that splits a long JSON text into elements.

import TesseraWire
import Testing

@Suite struct JSONElementScannerTests {
  @Test(arguments: [
    ("[]", []), (" [ ] ", []), ("[1]", ["1"]), ("[1, 2 ,3]", ["1", "2 ", "3"]),
    (#"["a,]\"}", {"b":[1,{"c":"]"}]}]"#, [#""a,]\"}""#, #"{"b":[1,{"c":"]"}]}"#]),
    (#"["\\",1]"#, [#""\\""#, "1"]), ("[tru, [}, 1]", ["tru", "[}", "1"]),
  ])
  func `an array is split into its elements`(_ text: String, _ elements: [String]) throws {
    let bytes = Array(text.utf8)
    var spans = try JSONElementScanner(bytes)
    var found: [String] = []
    while let byteRange = try spans.next() {
      found.append(String(decoding: bytes[byteRange], as: UTF8.self))
    }
    #expect(found == elements && !spans.isObject)
    #expect(try spans.next() == nil)
  }

  @Test func `an object is split into members, and nested values can be split again`() throws {
    let bytes = Array(#"{"a\u0041" : [1,2], "b":{"c":3},"a":null}"#.utf8)
    var spans = try JSONElementScanner(bytes)
    #expect(spans.isObject)
    var found = JSONObject()
    while let member = try spans.nextMember() {
      found.append(member.name, try spans.read(member.byteRange))
      guard member.name == "b" else { continue }
      var inner = try JSONElementScanner(bytes, in: member.byteRange)
      let first = try inner.nextMember()
      #expect(first?.name == "c" && first.map { bytes[$0.byteRange] } == Array("3".utf8)[...])
      #expect(try inner.nextMember() == nil)
    }
    #expect(found == ["aA": [1, 2], "b": ["c": 3], "a": .null])
  }

  @Test(arguments: [
    "", "1", #""a""#, "[", "[1", "[1,", "[,]", "[1,]", "[1]]", "[1] 2", "[}", #"["a]"#, #"["a\"]"#,
    #"["\"#, "[[1]", "[1 ]x",
  ])
  func `an invalid array throws an error`(_ text: String) {
    #expect(throws: JSONError.self) {
      var spans = try JSONElementScanner(Array(text.utf8))
      while try spans.next() != nil {}
    }
  }

  @Test(arguments: [
    "{1:2}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"\\x\":1}", "{\"a\" 1}", "{\"a",
  ])
  func `an invalid object throws an error`(_ text: String) {
    #expect(throws: JSONError.self) {
      var spans = try JSONElementScanner(Array(text.utf8))
      while try spans.nextMember() != nil {}
    }
  }

  @Test func `unclosed brackets throw an error without recursion`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
    #expect(throws: JSONError.self) {
      var spans = try JSONElementScanner(bytes)
      while try spans.next() != nil {}
    }
  }
}
