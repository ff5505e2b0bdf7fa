// SPDX-License-Identifier: MIT
// The mapping of error responses to remedies and codes, with the tables generated from docs/errors.toml.

package import TesseraWire

extension TesseraError {
  /// The time after which to retry after a `429` response without `Retry-After`, in seconds, as in the MSAL libraries.
  package static let defaultBackoffSeconds: Int64 = 60

  /// Creates the error for an error response.
  package init(_ errorResponse: ServerError, correlationID: String?) {
    let code = ServerErrorTable.code(of: errorResponse)
    self.init(
      TesseraError.Code.remedies[code] ?? .signIn, code, TesseraError.message(of: errorResponse))
    oauthError = errorResponse.error
    suberror = errorResponse.suberror
    serverCodes = errorResponse.serverCodes
    claims = errorResponse.claims
    if code == .protectionPolicyRequired {
      username = errorResponse.username
      homeAccountID = errorResponse.homeAccountID
    }
    retryAfterSeconds =
      errorResponse.retryAfterSeconds
      ?? (code == .throttled ? TesseraError.defaultBackoffSeconds : nil)
    self.correlationID = errorResponse.correlationID ?? correlationID
    traceID = errorResponse.traceID
    causes = [TesseraError.Cause(status: errorResponse.status)]
  }

  /// Creates the error for a rejected authorization code or device code.
  ///
  /// `invalid_grant` then means that the code has expired.
  package init(ofCode errorResponse: ServerError, correlationID: String?) {
    self.init(errorResponse, correlationID: correlationID)
    if code == .refreshTokenRejected { code = .codeExpired }
  }

  /// Creates the error for a rejected refresh token.
  ///
  /// A new sign-in replaces an invalid refresh token (MSAL for Apple).
  ///
  /// The request was not interactive, so `access_denied` does not mean that the user declined. An AADSTS number that
  /// identifies an error in the request is kept, because a sign-in would send the same request again.
  package init(ofRefreshToken errorResponse: ServerError, correlationID: String?) {
    self.init(errorResponse, correlationID: correlationID)
    guard
      code == .accessDenied
        || code == .requestRejected && !ServerErrorTable.isRequestError(errorResponse)
    else { return }
    remedy = .signIn
    code = .interactionRequired
  }

  private static func message(of errorResponse: ServerError) -> String {
    guard let error = errorResponse.error else {
      // Endpoints that receive secrets do not redirect, so the response came from another server.
      let doubt =
        (300..<400).contains(errorResponse.status)
        ? "; possibly a proxy or a captive portal responded instead" : ""
      return
        "The server rejected the request with status \(errorResponse.status), without an error code\(doubt)."
    }
    return "The server rejected the request: \(error)"
      + (errorResponse.errorDescription.map { ": \($0)" } ?? ".")
  }
}

extension TesseraError.Cause {
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
  fileprivate static func isRequestError(_ errorResponse: ServerError) -> Bool {
    errorResponse.serverCodes.first { numbers[$0] != nil }.map { $0 != ambiguousServerCode }
      ?? false
  }

  /// Returns the code of an error response.
  ///
  /// The page docs/errors.md describes the order of the rules.
  fileprivate static func code(of errorResponse: ServerError) -> TesseraError.Code {
    if errorResponse.status == 429 { return .throttled }
    if errorResponse.isTemporary { return .serverUnavailable }
    if let code = errorResponse.serverCodes.lazy.compactMap({ numbers[$0] }).first { return code }
    if let code = errorResponse.suberror.flatMap({ suberrors[$0.lowercased()] }) { return code }
    guard let error = errorResponse.error?.lowercased() else {
      return code(of: errorResponse.status)
    }
    // An unknown error may require user interaction, for example for a new type of policy.
    return errors[error] ?? .interactionRequired
  }

  /// Returns the code for a response without an error body, which the server Glewlwyd sends.
  private static func code(of status: Int) -> TesseraError.Code {
    switch status {
    case 400: .refreshTokenRejected
    case 401, 403: .clientRejected
    default: .invalidResponse
    }
  }
}
