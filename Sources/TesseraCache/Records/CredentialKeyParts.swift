// SPDX-License-Identifier: MIT
// How the parts of a credential become its key; a query leaves some parts open.

import Crypto
import TesseraWire

/// The parts of a credential's key.
///
/// Nil leaves a part out, as a query does.
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

  /// `<home account id>-<environment>`; nil when one of them is open.
  package var account: String? {
    guard let homeAccountID, let environment else { return nil }
    return "\(homeAccountID.normalised)-\(environment.normalised)"
  }

  /// Type, client or family, realm, and the application's own partition.
  package var generic: String {
    // Refresh tokens are good for every tenant, so they carry no realm.
    let realm = type.isRefreshToken ? "" : realm?.normalised ?? ""
    let owner = (familyID?.nonBlank ?? clientID ?? "").normalised
    let partition = applicationIdentifier.map { "-" + $0.normalised } ?? ""
    return "\(type.name.lowercased())-\(owner)-\(realm)\(partition)"
  }

  /// The generic part with what only access tokens have: target, scheme and claims.
  package var service: String { service(after: generic) }

  /// The same, for a generic part that was made before.
  func service(after generic: String) -> String {
    guard type.isAccessToken else { return generic + "-" }
    // Bearer is the absence of a scheme: MSAL Python and JavaScript write it, the others leave it out.
    let scheme = tokenType.map(\.normalised).flatMap {
      $0 == "bearer" || $0.isEmpty ? nil : "-" + $0
    }
    return "\(generic)-\((target ?? "").normalised)\(scheme ?? "")"
      + (requestedClaims?.nonBlank.map { "|" + CredentialKeyParts.claimsHash($0) } ?? "")
  }

  /// The first seven hexadecimal digits of the SHA-256 of the normalised claims, as MSAL for Apple has them.
  private static func claimsHash(_ claims: String) -> String {
    let digest = SHA256.hash(data: Array(claims.normalised.utf8))
    return String(Hexadecimal.text(digest.prefix(4)).prefix(7))
  }
}
