// SPDX-License-Identifier: MIT
// The reason why a file is not a unified cache. Such a file is never treated as a cache without accounts.

import TesseraCache
package import TesseraWire

/// The damage of a unified cache.
///
/// It states a position but never the content.
package enum UnifiedCacheError: Error, Sendable, Equatable {
  /// The file is empty: a writer was killed after it truncated the file.
  case empty
  /// The file has only white space.
  case blank
  /// The file starts with a byte order mark, which no library accepts.
  case byteOrderMark
  /// The file exceeds the maximum size.
  case tooLong(bytes: Int)
  /// The file is not a JSON object: it was truncated, or it belongs to another application.
  case malformed(JSONError)

  /// A description of the damage for developers.
  package var reason: String {
    switch self {
    case .empty: "it is empty"
    case .blank: "it contains only white space"
    case .byteOrderMark: "it starts with a byte order mark"
    case .tooLong(let bytes): "it has \(bytes) bytes"
    case .malformed(let error): "\(error.reason) at byte \(error.offset)"
    }
  }
}
