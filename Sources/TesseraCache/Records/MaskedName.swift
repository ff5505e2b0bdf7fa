// SPDX-License-Identifier: MIT
// A person's name as a log may have it: the same person looks the same, and nobody reads who it is.

import Crypto
import TesseraWire

/// A name by which a person signs in, masked for a log as MSAL for Apple masks it.
package struct MaskedName: Sendable, CustomStringConvertible {
  /// `auth.placeholder-`, the beginning of a SHA-256 of what stands before the `@`, and the domain; without a domain only
  /// the beginning of the hash.
  package let description: String

  /// Masks a name; nil for nobody.
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
