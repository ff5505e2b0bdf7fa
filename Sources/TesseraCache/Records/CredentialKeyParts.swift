// SPDX-License-Identifier: MIT
// Construction of a credential's key from its parts, some of which a query may omit.

import Crypto
import TesseraWire

/// The parts of a credential's key.
///
/// A query omits parts by leaving them `nil`.
package struct CredentialKeyParts: Sendable, Hashable {
  package var type: CredentialType
  package var homeAccountID: String?
  package var environment: String?
  package var clientID: String?
  package var familyID: String?
  package var realm: String?
  package var target: String?
  package var tokenType: String?
  package var applicationIdentifier: String?
  package var requestedClaims: String?

  package init(type: CredentialType) {
    self.type = type
  }

  /// The account attribute `<home account ID>-<environment>`, or `nil` if either part is missing.
  package var account: String? {
    guard let homeAccountID, let environment else { return nil }
    return "\(homeAccountID.normalised)-\(environment.normalised)"
  }

  /// The generic attribute: credential type, client or family ID, realm, and the application's partition.
  package var generic: String {
    // Refresh tokens are valid for every tenant, so they have no realm.
    let realm = type.isRefreshToken ? "" : realm?.normalised ?? ""
    let owner = (familyID?.nonBlank ?? clientID ?? "").normalised
    let partition = applicationIdentifier.map { "-" + $0.normalised } ?? ""
    return "\(type.name.lowercased())-\(owner)-\(realm)\(partition)"
  }

  /// The service attribute: the generic attribute and, for access tokens, the target, scheme and claims.
  package var service: String { service(after: generic) }

  /// Returns the service attribute for a generic attribute that was built before.
  func service(after generic: String) -> String {
    guard type.isAccessToken else { return generic + "-" }
    // Bearer is the default. MSAL Python and JavaScript write it; the other libraries omit it.
    let scheme = tokenType.map(\.normalised).flatMap {
      $0 == "bearer" || $0.isEmpty ? nil : "-" + $0
    }
    return "\(generic)-\((target ?? "").normalised)\(scheme ?? "")"
      + (requestedClaims?.nonBlank.map { "|" + CredentialKeyParts.claimsHash($0) } ?? "")
  }

  /// Returns the first seven hexadecimal digits of the SHA-256 of the normalised claims, as MSAL for Apple does.
  private static func claimsHash(_ claims: String) -> String {
    let digest = SHA256.hash(data: Array(claims.normalised.utf8))
    return String(Hexadecimal.text(digest.prefix(4)).prefix(7))
  }
}
