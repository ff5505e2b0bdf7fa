// SPDX-License-Identifier: MIT
// From a server's words to a remedy and a code, as a table.

package import TesseraWire

extension TesseraError {
  /// What a server's refusal means for the application.
  package init(_ refusal: ServerError, correlationID: String?) {
    let (remedy, code) = TesseraError.meaning(of: refusal)
    self.init(remedy, code, TesseraError.message(of: refusal))
    oauthError = refusal.error
    suberror = refusal.suberror
    serverCodes = refusal.serverCodes
    claims = refusal.claims
    retryAfterSeconds = refusal.retryAfterSeconds
    self.correlationID = refusal.correlationID ?? correlationID
    traceID = refusal.traceID
  }

  private static func meaning(of refusal: ServerError) -> (Remedy, ErrorCode) {
    if refusal.status == 429 { return (.retryLater, .throttled) }
    if refusal.isTemporary { return (.retryLater, .serverUnavailable) }
    // AADSTS90002: the tenant does not exist; Entra calls that an invalid request.
    if refusal.serverCodes.contains(90002) { return (.fixConfiguration, .invalidAuthority) }
    guard let error = refusal.error?.lowercased() else {
      return refusalWithoutWords(refusal.status)
    }
    // What is not in the table can be something only a person can settle, such as a new kind of policy.
    return table[error] ?? (.signIn, .interactionRequired)
  }

  /// Some servers (glewlwyd) refuse without a body.
  private static func refusalWithoutWords(_ status: Int) -> (Remedy, ErrorCode) {
    switch status {
    case 400: (.signIn, .refreshTokenRejected)
    case 401, 403: (.fixConfiguration, .clientRejected)
    default: (.retryLater, .invalidResponse)
    }
  }

  private static func message(of refusal: ServerError) -> String {
    guard let error = refusal.error else {
      return "The server refused the request with status \(refusal.status) and said nothing else."
    }
    return "The server refused the request: \(error)"
      + (refusal.errorDescription.map { ": \($0)" } ?? ".")
  }

  /// RFC 6749 4.1.2.1 and 5.2, RFC 8628 3.5, OpenID Connect Core 3.1.2.6, and Entra's own.
  private static let table: [String: (Remedy, ErrorCode)] = [
    "invalid_grant": (.signIn, .refreshTokenRejected),
    "interaction_required": (.signIn, .interactionRequired),
    "login_required": (.signIn, .interactionRequired),
    "consent_required": (.signIn, .interactionRequired),
    "account_selection_required": (.signIn, .interactionRequired),
    "expired_token": (.signIn, .codeExpired),
    "code_expired": (.signIn, .codeExpired),
    "bad_verification_code": (.signIn, .codeExpired),
    "invalid_client": (.fixConfiguration, .clientRejected),
    "unauthorized_client": (.fixConfiguration, .clientRejected),
    "invalid_scope": (.fixConfiguration, .scopeRejected),
    "invalid_target": (.fixConfiguration, .scopeRejected),
    "invalid_resource": (.fixConfiguration, .scopeRejected),
    "unsupported_grant_type": (.fixConfiguration, .flowUnsupported),
    "unsupported_response_type": (.fixConfiguration, .flowUnsupported),
    "invalid_request": (.fixRequest, .requestRejected),
    "access_denied": (.cancelled, .accessDenied),
    "authorization_declined": (.cancelled, .accessDenied),
  ]
}
