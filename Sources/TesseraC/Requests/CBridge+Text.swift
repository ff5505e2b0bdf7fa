// SPDX-License-Identifier: MIT
// Parameters that are plain strings instead of JSON documents.

import CLibrary
import CTessera
import TesseraEngine
import TesseraWire

extension CBridge {
  /// Returns a string parameter that is not a JSON document.
  ///
  /// - Throws: `fixRequest` if it is NULL, is not UTF-8 or is longer than ``RequestDocument/limit``.
  static func text(_ start: UnsafePointer<CChar>?, _ name: String) throws(TesseraError) -> String {
    guard let start else { throw missing(name) }
    let length = strnlen(start, RequestDocument.limit + 1)
    let bytes = UnsafeRawBufferPointer(start: start, count: length)
    guard length <= RequestDocument.limit, let text = String(validating: bytes, as: UTF8.self)
    else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\(name) is not valid UTF-8 or is longer than 1 MB.")
    }
    return text
  }
}
