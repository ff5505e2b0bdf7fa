// SPDX-License-Identifier: MIT
// The mark on a refresh token that was replaced in a response that failed validation. Other libraries ignore the mark.

package import TesseraWire

extension CredentialRecord {
  private static let supersededMember = "tessera_superseded"
  private static let unverifiedMember = "tessera_unverified"

  /// Whether the server replaced this refresh token in a response that failed validation.
  ///
  /// It must not be sent again.
  ///
  /// The mark contains the token it applies to, because another library may keep the mark when it stores a new token.
  package var isSuperseded: Bool {
    guard let supersededToken = self[CredentialRecord.supersededMember] else { return false }
    return supersededToken == members["secret"]?.string
  }

  /// The record with the refresh token from the response that failed validation.
  ///
  /// It is only sent to be revoked.
  package var unverifiedSuccessor: CredentialRecord? {
    guard isSuperseded, let token = self[CredentialRecord.unverifiedMember] else { return nil }
    var record = self
    record["secret"] = token
    return record
  }

  /// Returns the record, marked as replaced by an unverified refresh token.
  package func superseded(by successor: Secret?) -> CredentialRecord {
    var record = self
    record[CredentialRecord.supersededMember] = secret.reveal()
    record[CredentialRecord.unverifiedMember] = successor?.reveal()
    return record
  }
}
