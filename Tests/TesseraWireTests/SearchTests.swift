// SPDX-License-Identifier: MIT
// Tests of the searches in strings.

import TesseraWire
import Testing

@Suite struct SearchTests {
  @Test(arguments: [
    ("a://b://c", "://", "a"), ("aaab", "aab", "a"), ("ab", "", ""), ("ü:ä", "ä", "ü:"),
  ])
  func `the first occurrence is found`(_ text: String, _ part: String, _ before: String) throws {
    let found = try #require(text.firstRange(of: part))
    #expect(String(text[..<found.lowerBound]) == before)
    #expect(String(text[found]) == part)
    #expect(text.contains(part))
  }

  @Test(arguments: [("", "a"), ("ab", "abc"), ("aab", "ba"), ("\u{212A}", "K"), ("é", "e")])
  func `other bytes are not found`(_ text: String, _ part: String) {
    #expect(text.firstRange(of: part) == nil)
    #expect(!text.contains(part))
  }

  @Test(arguments: [
    ("a%sb%s", "%s", ["a", "b", ""]), ("", "x", [""]), ("xx", "x", ["", "", ""]), ("a", "", ["a"]),
  ])
  func `a text is split at all occurrences`(_ text: String, _ part: String, _ parts: [String]) {
    #expect(text.parts(separatedBy: part).map(String.init) == parts)
    #expect(text.replacing(part, with: "-") == parts.joined(separator: "-"))
  }
}
