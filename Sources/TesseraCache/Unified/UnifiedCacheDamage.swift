// SPDX-License-Identifier: MIT
// Why a file is no unified cache: it is never taken for one without accounts.

package import TesseraWire

/// What is wrong with a unified cache; it names a place, never the content.
package enum UnifiedCacheDamage: Error, Sendable, Equatable {
  /// Nothing is in it: a writer died after it had cut the file off.
  case empty
  /// Nothing but blanks is in it.
  case blank
  /// It begins with a byte order mark, which no library reads.
  case byteOrderMark
  /// It is longer than anybody's cache.
  case tooLong(bytes: Int)
  /// It is not JSON, or not an object: it was cut off, or is somebody else's.
  case malformed(JSONError)

  /// What is wrong, for a developer.
  package var reason: String {
    switch self {
    case .empty: "it is empty"
    case .blank: "nothing but blanks is in it"
    case .byteOrderMark: "it begins with a byte order mark"
    case .tooLong(let bytes): "it has \(bytes) bytes"
    case .malformed(let error): "\(error.reason) at byte \(error.offset)"
    }
  }
}
