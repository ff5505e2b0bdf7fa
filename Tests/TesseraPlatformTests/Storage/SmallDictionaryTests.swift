// SPDX-License-Identifier: MIT
// Tests of the dictionary for a few entries.

import Testing

@testable import TesseraPlatform

@Suite struct SmallDictionaryTests {
  @Test func `a value is found under its key alone`() {
    var dictionary = SmallDictionary<String, Int>()
    #expect(dictionary["a"] == nil)
    dictionary["a"] = 1
    dictionary["b"] = 2
    #expect(dictionary["a"] == 1 && dictionary["b"] == 2 && dictionary["c"] == nil)
  }

  @Test func `a new value replaces the old one, and nil removes it`() {
    var dictionary = SmallDictionary<String, Int>()
    dictionary["a"] = 1
    dictionary["a"] = 3
    #expect(dictionary["a"] == 3 && dictionary.values == [3])
    dictionary["a"] = nil
    #expect(dictionary["a"] == nil && dictionary.values.isEmpty)
  }
}
