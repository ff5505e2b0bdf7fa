// SPDX-License-Identifier: MIT
// Tests of JSON Pointers: the examples of RFC 6901 section 5, and invalid pointers.

import TesseraWire
import Testing

@Suite struct JSONPointerTests {
  private static let document = #"""
    {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}
    """#

  @Test(arguments: [
    ("", document), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
    ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"),
    ("/m~0n", "8"),
  ])
  func `a pointer selects a value`(_ pointer: String, _ expected: String) throws {
    let value = try JSONPointer(pointer)?.value(in: JSONValue(parsing: Self.document))
    #expect(value?.serialized == expected)
  }

  @Test(arguments: [
    "/foo/2", "/foo/-", "/foo/00", "/foo/-1", "/foo/+1", "/foo/x", "/bar", "/foo/0/0",
  ])
  func `a pointer to a missing value selects nothing`(_ pointer: String) throws {
    let value = try JSONPointer(pointer)?.value(in: JSONValue(parsing: Self.document))
    #expect(JSONPointer(pointer) != nil)
    #expect(value == nil)
  }

  @Test(arguments: ["foo", " /foo", "/m~n", "/~", "/~2"])
  func `an invalid pointer is rejected`(_ pointer: String) {
    #expect(JSONPointer(pointer) == nil)
  }

  @Test func `names are compared by their bytes`() throws {
    let document = try JSONValue(parsing: "{\"\u{E9}\":1}")
    #expect(JSONPointer("/\u{E9}")?.value(in: document) == 1)
    #expect(JSONPointer("/e\u{301}")?.value(in: document) == nil)
  }
}
