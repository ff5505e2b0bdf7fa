// SPDX-License-Identifier: MIT
// From a server's words to a remedy and a code, by the tables that docs/errors.toml makes.

package import TesseraWire

extension TesseraError {
  /// What a server's refusal means for the application.
  package init(_ refusal: ServerError, correlationID: String?) {
    let code = ServerWords.code(of: refusal)
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

  /// What a refusal means to who redeems the code of a sign-in: it is the code that the server does not accept.
  package init(ofCode refusal: ServerError, correlationID: String?) {
    self.init(refusal, correlationID: correlationID)
    if code == .refreshTokenRejected { code = .codeExpired }
  }

  /// What a refusal means to who redeems a refresh token: what is wrong with one, a new sign-in settles (MSAL for Apple).
  ///
  /// The user was not asked, so the user did not decline. An AADSTS number that names a fault of the request is kept: a sign-in
  /// would send the same request again.
  package init(ofRefreshToken refusal: ServerError, correlationID: String?) {
    self.init(refusal, correlationID: correlationID)
    guard code == .accessDenied || code == .requestRejected && !ServerWords.namesFault(refusal)
    else { return }
    remedy = .signIn
    code = .interactionRequired
  }

  /// The same, with what Intune's library has to be told where it is to protect the program.
  func naming(_ authority: Authority, _ homeAccountID: String?) -> TesseraError {
    guard code == .protectionPolicyRequired else { return self }
    var error = self
    error.authority = authority.text
    error.homeAccountID = self.homeAccountID ?? homeAccountID?.nonBlank
    return error
  }

  private static func message(of refusal: ServerError) -> String {
    guard let error = refusal.error else {
      // No endpoint that gets secrets redirects: somebody else answered.
      let doubt =
        (300..<400).contains(refusal.status)
        ? "; a proxy or a network's sign-in page may have answered instead" : ""
      return
        "The server refused the request with status \(refusal.status) and said nothing else\(doubt)."
    }
    return "The server refused the request: \(error)"
      + (refusal.errorDescription.map { ": \($0)" } ?? ".")
  }
}

extension ErrorCause {
  /// The status of a server's answer.
  package init(status: Int) {
    self.init(.http, Int64(status), "the server answered with status \(status)")
  }
}

extension ServerWords {
  /// AADSTS9002313 (InvalidRequest): Entra also returns it for a malformed refresh token, which a sign-in replaces.
  private static let ambiguousNumber: Int64 = 9_002_313

  /// Whether an AADSTS number names what is wrong with the request.
  fileprivate static func namesFault(_ refusal: ServerError) -> Bool {
    refusal.serverCodes.first { numbers[$0] != nil }.map { $0 != ambiguousNumber } ?? false
  }

  /// The code of a refusal; docs/errors.md has the order in words.
  fileprivate static func code(of refusal: ServerError) -> ErrorCode {
    if refusal.status == 429 { return .throttled }
    if refusal.isTemporary { return .serverUnavailable }
    if let code = refusal.serverCodes.lazy.compactMap({ numbers[$0] }).first { return code }
    if let code = refusal.suberror.flatMap({ suberrors[$0.lowercased()] }) { return code }
    guard let error = refusal.error?.lowercased() else { return code(of: refusal.status) }
    // What is not in the table can be something only a person can settle, such as a new kind of policy.
    return errors[error] ?? .interactionRequired
  }

  /// Some servers (glewlwyd) refuse without a body.
  private static func code(of status: Int) -> ErrorCode {
    switch status {
    case 400: .refreshTokenRejected
    case 401, 403: .clientRejected
    default: .invalidResponse
    }
  }
}
