// SPDX-License-Identifier: MIT
// Truth values in texts: what brokers of Apple systems write, and what NSString makes of it.

import TesseraWire
import Testing

@Suite struct TruthTextTests {
  @Test(arguments: [
    ("1", true), ("YES", true), ("y", true), ("true", true), ("Tschüss", true), (" 1", true),
    ("01", true), ("+007", true), ("-1", true), ("9x", true),
    ("0", false), ("000", false), ("NO", false), ("false", false), ("", false), (" ", false),
    ("+", false), ("--1", false), ("+Y", false), ("0Y", false), ("x1", false), ("٣", false),
  ])
  func `a text is true as NSString says it is`(_ text: String, _ isTrue: Bool) {
    #expect(text.isTrue == isTrue)
  }
}
