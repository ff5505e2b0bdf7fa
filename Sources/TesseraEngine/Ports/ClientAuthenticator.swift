// SPDX-License-Identifier: MIT
// The port to the authentication of confidential clients.

package import TesseraWire

/// Authenticates the requests of a confidential client.
package protocol ClientAuthenticator: Sendable {
  /// Returns the credential for one request.
  ///
  /// - Throws: `fixConfiguration` for a credential that cannot be read or used.
  func credential(for request: AuthenticatedRequest) throws(TesseraError) -> CredentialProof

  /// Returns the credential that has replaced a rejected one; `nil` if there is none, or the rejection has another reason.
  func replacement(
    for rejected: CredentialProof, _ rejection: ServerError, in request: AuthenticatedRequest
  ) -> CredentialProof?
}

/// The properties of a request that its authentication depends on.
package struct AuthenticatedRequest: Sendable {
  package let clientID: String
  /// The endpoint that receives the request.
  package let endpoint: String
  package let authority: ResolvedAuthority
  /// The `claims` parameter.
  package let claims: String?
  package let correlationID: String

  package init(
    clientID: String, endpoint: String, authority: ResolvedAuthority, claims: String?,
    correlationID: String
  ) {
    self.clientID = clientID
    self.endpoint = endpoint
    self.authority = authority
    self.claims = claims
    self.correlationID = correlationID
  }
}

/// The authentication of one request, with the credential that it proves.
package struct CredentialProof: Sendable {
  package let authentication: ClientAuthentication
  /// The SHA-256 of the credential, which distinguishes it from its replacement.
  package let digest: [UInt8]

  package init(_ authentication: ClientAuthentication, digest: [UInt8]) {
    self.authentication = authentication
    self.digest = digest
  }
}
