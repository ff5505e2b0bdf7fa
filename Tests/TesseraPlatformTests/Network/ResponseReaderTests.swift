// SPDX-License-Identifier: MIT
// Parsing of a response in pieces, up to its limits.

import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct ResponseReaderTests {
  private func take(header line: String, into reader: ResponseReader) -> Bool {
    Array(line.utf8).withUnsafeBufferPointer { reader.take(header: $0) }
  }

  @Test(
    arguments: [
      ("A: b\r\n", "A", "b"), ("A:b", "A", "b"), ("A:\t b c \t\r\n", "A", "b c"),
      ("A:\r\n", "A", ""), ("A: b: c\r\n", "A", "b: c"), (":x\r\n", "", "x"),
    ])
  func `a header line is a name and a value`(line: String, name: String, value: String) {
    let reader = ResponseReader()
    #expect(take(header: line, into: reader))
    #expect(reader.headers == [HTTPHeader(name, value)])
  }

  @Test func `header lines without a colon are ignored`() {
    let reader = ResponseReader()
    #expect(take(header: "\r\n", into: reader) && take(header: "x\r\n", into: reader))
    #expect(reader.headers.isEmpty)
  }

  @Test func `header fields are limited in number and in size`() {
    let many = ResponseReader()
    #expect((0..<200).allSatisfy { _ in take(header: "A: b", into: many) })
    #expect(!take(header: "A: b", into: many) && many.isTooLarge)
    let large = ResponseReader()
    #expect(!take(header: "A: " + String(repeating: "b", count: 65_536), into: large))
  }

  @Test func `a body is limited in size, however it is split`() {
    let reader = ResponseReader()
    let half = [UInt8](repeating: 0, count: HTTPResponse.bodyLimit / 2)
    #expect(half.withUnsafeBufferPointer { reader.take(body: $0) })
    #expect(half.withUnsafeBufferPointer { reader.take(body: $0) })
    #expect(reader.body.count == HTTPResponse.bodyLimit && !reader.isTooLarge)
    #expect(![0].withUnsafeBufferPointer { reader.take(body: $0) } && reader.isTooLarge)
  }
}
