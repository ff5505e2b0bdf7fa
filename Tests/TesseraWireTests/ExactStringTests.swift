// SPDX-License-Identifier: MIT
// Texts are compared by their bytes, also where Unicode has them as canonically equivalent.

import TesseraWire
import Testing

@Suite struct ExactStringTests {
  /// Texts that are equal for Swift and have other bytes; of the last two pairs as many.
  private static let pairs = [
    ("caf\u{E9}", "cafe\u{301}"), ("K1", "\u{212A}1"), ("\u{8C48}", "\u{F900}"),
    ("a\u{301}\u{323} and more than 32 bytes", "a\u{323}\u{301} and more than 32 bytes"),
  ]

  @Test(arguments: pairs)
  func `texts with other bytes are other texts`(_ left: String, _ right: String) throws {
    #expect([left].allSatisfy { Set([right]).contains($0) })
    #expect(!left.hasBytes(of: right) && left.hasBytes(of: left))
    #expect(left.bytesPrecede(right) != right.bytesPrecede(left))
    #expect(!left.bytesPrecede(left))
    #expect(Set(texts: [left, right, left]).count == 2)
    var numbers: [ExactString: Int] = [:]
    numbers[left] = 1
    numbers[right, default: 2] += 1
    #expect(numbers[left] == 1 && numbers[right] == 3)
    #expect(!Scopes([left]).intersects(Scopes([right])))
    #expect(left.normalised.utf8.elementsEqual(right.normalised.utf8) == false)
  }

  @Test(arguments: pairs)
  func `members of an object are told apart by bytes`(_ left: String, _ right: String) throws {
    var object: JSONObject = ["x": .string(left)]
    #expect(object != ["x": .string(right)])
    object[left] = 1
    object[right] = 2
    #expect(object[left] == 1 && object[right] == 2)
    #expect(object != ["x": .string(left), left: 2])
    object[right] = nil
    #expect(object[left] == 1 && object.members.count == 2)
  }

  @Test func `bytes are ordered like memcmp orders them`() {
    let sorted = ["", "a", "aa", "abcdefgh", "abcdefghi", "abcdefgi", "b", "\u{E9}", "\u{10FFFF}"]
    #expect(sorted.reversed().sorted { $0.bytesPrecede($1) } == sorted)
    #expect(Set(texts: sorted).sorted().map(\.text) == sorted)
  }

  @Test func `lower case keeps what is not the letter k`() {
    #expect("KELVIN \u{212A} \u{C9}".normalised == "kelvin \u{212A} \u{E9}")
    #expect("\u{C9}K ".normalised == "\u{E9}k")
  }
}
