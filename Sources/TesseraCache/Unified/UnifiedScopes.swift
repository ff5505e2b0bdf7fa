// SPDX-License-Identifier: MIT
// Which scopes an access token can have, as bits, so that the tokens for others are not decoded.

import TesseraWire

/// One bit for each scope, chosen by what it is called; different scopes may share one.
///
/// It only narrows a search: what is found is decoded and compared.
struct UnifiedScopes: Sendable, Equatable {
  private(set) var bits: UInt64

  /// Of an entry that has to be decoded to know them.
  static let unknown = UnifiedScopes(bits: .max)

  init(bits: UInt64) {
    self.bits = bits
  }

  /// Of one scope, as scopes are compared.
  init(_ scope: String) {
    self.init(words: scope.utf8)
  }

  /// Of the text of a target, between its quotes in the document.
  init(words text: some Sequence<UInt8>) {
    bits = 0
    var word: ScanPosition?
    var last: UInt8 = 0
    for byte in text {
      // Escapes, letters that have other small ones, and a resource's second slash: as the words compare, not as they look.
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\"),
        byte != UInt8(ascii: ".") || last != UInt8(ascii: "/")
      else {
        self = .unknown
        return
      }
      if byte == 0x20 {
        add(word)
        word = nil
      } else {
        word = word ?? ScanPosition()
        word?.append(byte)
      }
      last = byte
    }
    add(word)
  }

  private mutating func add(_ word: ScanPosition?) {
    if let word { bits |= 1 << (word.number >> 58) }
  }

  /// Whether all of some scopes can be among these.
  func canHave(_ others: UnifiedScopes) -> Bool {
    bits & others.bits == others.bits
  }
}
