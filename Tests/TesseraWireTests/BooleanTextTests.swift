// SPDX-License-Identifier: MIT
// Tests of boolean strings from the brokers of Apple systems, with the results of NSString.

import TesseraWire
import Testing

@Suite struct BooleanTextTests {
  @Test(arguments: [
    ("1", true), ("YES", true), ("y", true), ("true", true), ("Tschüss", true), (" 1", true),
    ("01", true), ("+007", true), ("-1", true), ("9x", true),
    ("0", false), ("000", false), ("NO", false), ("false", false), ("", false), (" ", false),
    ("+", false), ("--1", false), ("+Y", false), ("0Y", false), ("x1", false), ("٣", false),
  ])
  func `a string is parsed as a boolean like NSString boolValue`(_ text: String, _ isTrue: Bool) {
    #expect(text.isTrue == isTrue)
  }
}
