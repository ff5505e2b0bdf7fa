// SPDX-License-Identifier: MIT
// Where a record lies in the cache: the attributes of the unified schema, as text and as an integer.

import Crypto
import TesseraWire

/// The attributes that locate a record; account, service and type make it unique.
///
/// Keys can't be taken apart again, client ids and tenants contain the separator: match by members, never by key.
package struct RecordKey: Sendable, Hashable {
  /// `kSecAttrAccount`.
  package let account: String
  /// `kSecAttrService`.
  package let service: String
  /// `kSecAttrGeneric`, which only narrows a search.
  package let generic: String?
  /// `kSecAttrType`.
  package let type: Int
  /// The home account id and environment, where their case matters and the account attribute has lost it.
  package let caseSensitivePart: String?

  /// A key with its attributes.
  package init(
    account: String, service: String, generic: String?, type: Int, homeAccountID: String = "",
    environment: String = ""
  ) {
    self.account = account
    self.service = service
    self.generic = generic
    self.type = type
    // `sub` and `iss` of OpenID Connect are case sensitive (Core 2); two people must never share a record.
    let isLowerCase = [homeAccountID, environment].allSatisfy {
      $0.isLowerCaseASCII || $0 == $0.lowercased()
    }
    caseSensitivePart = isLowerCase ? nil : homeAccountID + "\n" + environment
  }

  /// The whole key as one text.
  package var text: String {
    "\(type)\n\(account)\n\(service)" + (caseSensitivePart.map { "\n" + $0 } ?? "")
  }

  /// The key as an integer, for a table whose point reads must be quick.
  package var number: Int64 {
    RecordKey.number(of: text)
  }

  /// The first eight bytes of a text's SHA-256.
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
