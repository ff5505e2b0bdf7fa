// SPDX-License-Identifier: MIT
// The mapping of error responses to remedies and codes, with the tables generated from docs/errors.toml.

package import TesseraWire

extension TesseraError {
  /// Creates the error for an error response.
  package init(_ refusal: ServerError, correlationID: String?) {
    let code = ServerErrorTable.code(of: refusal)
    self.init(ErrorCode.remedies[code] ?? .signIn, code, TesseraError.message(of: refusal))
    oauthError = refusal.error
    suberror = refusal.suberror
    serverCodes = refusal.serverCodes
    claims = refusal.claims
    if code == .protectionPolicyRequired {
      username = refusal.username
      homeAccountID = refusal.homeAccountID
    }
    retryAfterSeconds =
      refusal.retryAfterSeconds ?? (code == .throttled ? ThrottleRule.defaultPause : nil)
    self.correlationID = refusal.correlationID ?? correlationID
    traceID = refusal.traceID
    causes = [ErrorCause(status: refusal.status)]
  }

  /// Creates the error for a rejected authorization code or device code.
  ///
  /// `invalid_grant` then means that the code has expired.
  package init(ofCode refusal: ServerError, correlationID: String?) {
    self.init(refusal, correlationID: correlationID)
    if code == .refreshTokenRejected { code = .codeExpired }
  }

  /// Creates the error for a rejected refresh token.
  ///
  /// A new sign-in replaces an invalid refresh token (MSAL for Apple).
  ///
  /// The request was not interactive, so `access_denied` does not mean that the user declined. An AADSTS number that
  /// identifies an error in the request is kept, because a sign-in would send the same request again.
  package init(ofRefreshToken refusal: ServerError, correlationID: String?) {
    self.init(refusal, correlationID: correlationID)
    guard
      code == .accessDenied || code == .requestRejected && !ServerErrorTable.isRequestError(refusal)
    else { return }
    remedy = .signIn
    code = .interactionRequired
  }

  /// Adds the values that the Intune library needs if app protection is required.
  func withAppProtectionDetails(_ authority: Authority, _ homeAccountID: String?) -> TesseraError {
    guard code == .protectionPolicyRequired else { return self }
    var error = self
    error.authority = authority.text
    error.homeAccountID = self.homeAccountID ?? homeAccountID?.nonBlank
    return error
  }

  private static func message(of refusal: ServerError) -> String {
    guard let error = refusal.error else {
      // Endpoints that receive secrets do not redirect, so the response came from another server.
      let doubt =
        (300..<400).contains(refusal.status)
        ? "; possibly a proxy or a captive portal responded instead" : ""
      return
        "The server rejected the request with status \(refusal.status), without an error code\(doubt)."
    }
    return "The server rejected the request: \(error)"
      + (refusal.errorDescription.map { ": \($0)" } ?? ".")
  }
}

extension ErrorCause {
  /// Creates a cause from the status of a response.
  package init(status: Int) {
    self.init(.http, Int64(status), "the server returned status \(status)")
  }
}

extension ServerErrorTable {
  /// AADSTS9002313 (InvalidRequest).
  ///
  /// Entra also returns it for a malformed refresh token, which a sign-in replaces.
  private static let ambiguousServerCode: Int64 = 9_002_313

  /// Whether an AADSTS number identifies an error in the request.
  fileprivate static func isRequestError(_ refusal: ServerError) -> Bool {
    refusal.serverCodes.first { numbers[$0] != nil }.map { $0 != ambiguousServerCode } ?? false
  }

  /// Returns the code of an error response.
  ///
  /// The page docs/errors.md describes the order of the rules.
  fileprivate static func code(of refusal: ServerError) -> ErrorCode {
    if refusal.status == 429 { return .throttled }
    if refusal.isTemporary { return .serverUnavailable }
    if let code = refusal.serverCodes.lazy.compactMap({ numbers[$0] }).first { return code }
    if let code = refusal.suberror.flatMap({ suberrors[$0.lowercased()] }) { return code }
    guard let error = refusal.error?.lowercased() else { return code(of: refusal.status) }
    // An unknown error may require user interaction, for example for a new type of policy.
    return errors[error] ?? .interactionRequired
  }

  /// Returns the code for a response without an error body, which the server Glewlwyd sends.
  private static func code(of status: Int) -> ErrorCode {
    switch status {
    case 400: .refreshTokenRejected
    case 401, 403: .clientRejected
    default: .invalidResponse
    }
  }
}
