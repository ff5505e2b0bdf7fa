// SPDX-License-Identifier: MIT
// The key of a record: the attributes of the unified schema, as a string and as an integer.

import Crypto
import TesseraWire

/// The attributes that identify a record.
///
/// Account, service and type make it unique.
///
/// Do not parse keys: client IDs and tenants may contain the separator. Match the members of a record instead.
package struct RecordKey: Sendable, Hashable {
  /// `kSecAttrAccount`.
  package let account: String
  /// `kSecAttrService`.
  package let service: String
  /// `kSecAttrGeneric`, which only narrows a search.
  package let generic: String?
  /// `kSecAttrType`.
  package let type: Int
  /// The home account ID and the environment, if their case matters and the account attribute has lost it.
  package let caseSensitivePart: String?

  /// Creates a key from its attributes.
  package init(
    account: String, service: String, generic: String?, type: Int, homeAccountID: String = "",
    environment: String = ""
  ) {
    self.account = account
    self.service = service
    self.generic = generic
    self.type = type
    // `sub` and `iss` are case-sensitive (OpenID Connect Core 2). Two users must never share a record.
    let isLowerCase = [homeAccountID, environment].allSatisfy {
      $0.isLowerCaseASCII || $0 == $0.lowercased()
    }
    caseSensitivePart = isLowerCase ? nil : homeAccountID + "\n" + environment
  }

  /// The key as a single string.
  package var text: String {
    "\(type)\n\(account)\n\(service)" + (caseSensitivePart.map { "\n" + $0 } ?? "")
  }

  /// The key as an integer, for quick primary-key lookups in a table.
  package var number: Int64 {
    RecordKey.number(of: text)
  }

  /// Returns the first eight bytes of the SHA-256 of a string.
  package static func number(of text: String) -> Int64 {
    var hash = SHA256()
    var text = text
    text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
    return hash.finalize().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  package static func == (left: RecordKey, right: RecordKey) -> Bool {
    left.type == right.type && left.account == right.account && left.service == right.service
      && left.caseSensitivePart == right.caseSensitivePart
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(account)
    hasher.combine(service)
  }
}
