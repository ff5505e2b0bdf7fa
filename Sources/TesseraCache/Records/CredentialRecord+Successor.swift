// SPDX-License-Identifier: MIT
// A refresh token that a refused response replaced: marked in its own record, which other libraries read as before.

package import TesseraWire

extension CredentialRecord {
  private static let supersededMember = "tessera_superseded"
  private static let unverifiedMember = "tessera_unverified"

  /// Whether the server replaced this refresh token in a response that was refused, so that it must not be sent again.
  ///
  /// The mark names the token: another library may keep the mark when it stores a new token in the record.
  package var isSuperseded: Bool {
    guard let marked = self[CredentialRecord.supersededMember] else { return false }
    return marked == members["secret"]?.string
  }

  /// The refresh token of the refused response; nothing sends it.
  package var unverifiedSuccessor: Secret? {
    isSuperseded ? self[CredentialRecord.unverifiedMember].map(Secret.init) : nil
  }

  /// The same record, marked as replaced by a refresh token that is unverified.
  package func superseded(by successor: Secret?) -> CredentialRecord {
    var record = self
    record[CredentialRecord.supersededMember] = secret.reveal()
    record[CredentialRecord.unverifiedMember] = successor?.reveal()
    return record
  }
}
