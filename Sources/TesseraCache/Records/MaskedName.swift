// SPDX-License-Identifier: MIT
// A user name masked for logs. Equal names have equal masks.

import Crypto
import TesseraWire

/// A user name in the masked form that MSAL for Apple logs.
///
/// The mask contains the domain, and a hash in place of the local part. A reader who guesses the name can confirm the guess
/// by its hash, and equal local parts at different domains have equal hashes.
package struct MaskedName: Sendable, CustomStringConvertible {
  /// The masked name: `auth.placeholder-`, the start of the SHA-256 of the local part, and the domain.
  ///
  /// The domain starts after the last at sign. Without a local part or a domain, the mask is only the start of the hash of
  /// the whole name.
  package let description: String

  /// Masks a user name.
  ///
  /// `nil` and blank names become `Masked(null)`.
  package init(_ name: String?) {
    guard let name = name?.nonBlank else {
      description = "Masked(null)"
      return
    }
    let text = Array(name.normalised.utf8)
    let parts = text.lastIndex(of: UInt8(ascii: "@")).map { (text[..<$0], text[($0 + 1)...]) }
    guard let (local, domain) = parts, !local.isEmpty, !domain.isEmpty else {
      description = MaskedName.digits(of: text)
      return
    }
    let shown = String(decoding: domain, as: UTF8.self).plain(atMost: 255)
    description = "auth.placeholder-\(MaskedName.digits(of: local))__\(shown)"
  }

  /// Returns the start of the SHA-256 of a text.
  package static func digits(of text: some Sequence<UInt8>) -> String {
    Hexadecimal.text(SHA256.hash(data: Array(text)).prefix(4))
  }
}
