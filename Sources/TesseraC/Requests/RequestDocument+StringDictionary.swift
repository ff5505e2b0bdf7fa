// SPDX-License-Identifier: MIT
// Parsing of members that are objects with string values.

import TesseraEngine
import TesseraWire

extension RequestDocument {
  /// Returns an object with only string values; nil if the member is absent or null.
  ///
  /// - Throws: `fixRequest` if the member is not such an object, or if a name occurs twice in it.
  func stringDictionary(_ name: String) throws(TesseraError) -> [String: String]? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw invalidStringDictionary(name) }
    var stringDictionary: [String: String] = [:]
    for member in object.members {
      guard let text = member.value.string,
        stringDictionary.updateValue(text, forKey: member.name) == nil
      else { throw invalidStringDictionary(name) }
    }
    return stringDictionary
  }

  private func invalidStringDictionary(_ name: String) -> TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "\"\(path)\(name)\" must be an object with string values and without duplicate names.")
  }
}
