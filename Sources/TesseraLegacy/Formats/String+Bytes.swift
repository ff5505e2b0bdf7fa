// SPDX-License-Identifier: MIT
// Comparison of strings by their bytes in this module; see docs/decisions/0020-texts-compare-by-bytes.md.

import TesseraWire

extension String {
  static func == (left: String, right: String) -> Bool { left.hasBytes(of: right) }
  static func != (left: String, right: String) -> Bool { !left.hasBytes(of: right) }
}

extension Optional where Wrapped == String {
  static func == (left: String?, right: String?) -> Bool { left.hasBytes(of: right) }
  static func != (left: String?, right: String?) -> Bool { !left.hasBytes(of: right) }
}

extension Sequence where Element == String {
  func contains(_ text: String) -> Bool { contains { $0.hasBytes(of: text) } }
}
