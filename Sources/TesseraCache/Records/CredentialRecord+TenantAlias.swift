// SPDX-License-Identifier: MIT
// The tenant alias of a credential. MSAL Python and Go store it in place of the tenant ID.

import TesseraWire

extension CredentialRecord {
  /// The member with the alias that was replaced by a tenant ID.
  ///
  /// Only Tessera writes it.
  static let tenantAliasMember = "tessera_realm"

  /// Returns the token with the tenant alias of an older record, unless it has its own.
  func keepingTenantAlias(as older: CacheRecord) -> CredentialRecord {
    guard self[CredentialRecord.tenantAliasMember] == nil,
      let alias = older.members[CredentialRecord.tenantAliasMember]?.string
    else { return self }
    var token = self
    token[CredentialRecord.tenantAliasMember] = alias
    return token
  }
}
