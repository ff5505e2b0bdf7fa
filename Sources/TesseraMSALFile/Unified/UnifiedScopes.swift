// SPDX-License-Identifier: MIT
// The scopes that an access token may have, as bits, so that tokens for other scopes are not decoded.

import TesseraCache
import TesseraWire

/// A set of scopes as a Bloom filter, with one bit per scope.
///
/// Different scopes may share a bit.
///
/// It only narrows a search. The entries found are decoded and compared.
struct UnifiedScopes: Sendable, Equatable {
  private(set) var bits: UInt64

  /// The value for an entry that must be decoded to determine its scopes.
  static let unknown = UnifiedScopes(bits: .max)

  init(bits: UInt64) {
    self.bits = bits
  }

  /// Creates the set of one scope.
  init(_ scope: String) {
    self.init(targetBytes: scope.utf8)
  }

  /// Creates the set from the bytes of a `target` value, without the quotes.
  init(targetBytes text: some Sequence<UInt8>) {
    bits = 0
    var scopeHash: AccountHash?
    var last: UInt8 = 0
    for byte in text {
      // The scopes are unknown if their bytes differ from the compared form: escapes, non-ASCII letters, and a slash
      // before a dot.
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\"),
        byte != UInt8(ascii: ".") || last != UInt8(ascii: "/")
      else {
        self = .unknown
        return
      }
      if byte == 0x20 {
        add(scopeHash)
        scopeHash = nil
      } else {
        scopeHash = scopeHash ?? AccountHash()
        scopeHash?.append(byte)
      }
      last = byte
    }
    add(scopeHash)
  }

  private mutating func add(_ scopeHash: AccountHash?) {
    if let scopeHash { bits |= 1 << (scopeHash.number >> 58) }
  }

  /// Whether the set may contain all scopes of another set.
  func mayContain(_ others: UnifiedScopes) -> Bool {
    bits & others.bits == others.bits
  }
}
