// SPDX-License-Identifier: MIT
// Parsing of members that are objects with string values.

import TesseraEngine
import TesseraWire

extension RequestDocument {
  /// Returns an object with only string values; nil if the member is absent or null.
  ///
  /// - Throws: `fixRequest` if the member is not such an object, or if a name occurs twice in it.
  func texts(_ name: String) throws(TesseraError) -> [String: String]? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw notTexts(name) }
    var texts: [String: String] = [:]
    for member in object.members {
      guard let text = member.value.string, texts.updateValue(text, forKey: member.name) == nil
      else { throw notTexts(name) }
    }
    return texts
  }

  private func notTexts(_ name: String) -> TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "\"\(name)\" must be an object, and every member of it a string, none there twice.")
  }
}
