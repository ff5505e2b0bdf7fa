// SPDX-License-Identifier: MIT
// A user name masked for logs. Equal names have equal masks, and the mask does not reveal the name.

import Crypto
import TesseraWire

/// A user name in the masked form that MSAL for Apple logs.
package struct MaskedName: Sendable, CustomStringConvertible {
  /// The masked name: `auth.placeholder-`, the start of the SHA-256 of the local part, and the domain.
  ///
  /// Without a domain, it is only the start of the hash.
  package let description: String

  /// Masks a user name.
  ///
  /// `nil` and blank names become `Masked(null)`.
  package init(_ name: String?) {
    guard let name = name?.nonBlank else {
      description = "Masked(null)"
      return
    }
    let text = name.normalised
    let local = text.prefix { $0 != "@" }
    let domain = text.dropFirst(local.count + 1)
    let digits = Hexadecimal.text(SHA256.hash(data: Array(local.utf8)).prefix(4))
    description =
      domain.isEmpty
      ? digits : "auth.placeholder-\(digits)__\(String(domain).plain(atMost: 255))"
  }
}
