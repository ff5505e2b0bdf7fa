// SPDX-License-Identifier: MIT
// The one error of the library: what to do, what happened, and the server's own words.

package import TesseraWire

/// Why a call failed, and what to do about it.
public struct TesseraError: Error, Sendable {
  /// What the application should do.
  public var remedy: Remedy
  /// The name of the situation.
  public var code: ErrorCode
  /// What happened, for a developer: one line, which holds no secret and no control characters.
  public var message: String
  /// Seconds after which trying again makes sense, if the server said so.
  public var retryAfterSeconds: Int64?
  /// `error`, as the server sent it.
  public var oauthError: String?
  /// `suberror`, as the server sent it.
  public var suberror: String?
  /// The AADSTS numbers, as the server sent them.
  public var serverCodes: [Int64] = []
  /// The correlation id of the exchange, for the server's support.
  public var correlationID: String?
  /// The trace id of the exchange, for the server's support.
  public var traceID: String?
  /// The claims to pass on to an interactive request.
  public var claims: String?
  /// The scopes that were granted, when others were declined.
  public var grantedScopes: [String] = []
  /// The scopes that were declined.
  public var declinedScopes: [String] = []
  /// The token for the scopes that were granted, when others were declined; it is stored, and can be used.
  public var result: TokenResult?
  /// The name of the person whom the error is about, if the server said it.
  public var username: String?
  /// The account that the error is about, where a policy is for one person.
  public var homeAccountID: String?
  /// Where the program is that the device needs; anybody can have made the address, so show it before it is opened.
  public var appLink: String?
  /// Whether the organization wants tokens that are bound to the device.
  public var requiresTokenProtection = false
  /// The address of the authority that applies a policy of app protection.
  public var authority: String?
  /// The process that held what the call waited for, if the system told.
  public var holderProcessID: Int64?
  /// The accounts that fit, when the request was ambiguous.
  public var accounts: [Account] = []
  /// What led to it, the nearest first: what a server, a library or the system said, or an earlier error.
  public var causes: [ErrorCause] = []

  /// A message has no more scalars than this: some of it may be a server's.
  private static let longestMessage = 2000

  /// Whether it is that of an earlier request, and this one was not sent.
  package var isRemembered = false

  /// Whether it stands for an earlier failure of a server in trouble.
  package var standsForOutage = false

  /// Whether the server could not answer because it is in trouble.
  package var isOutage: Bool { code == .serverUnavailable || standsForOutage }

  /// An error with a remedy, a code and a message.
  public init(_ remedy: Remedy, _ code: ErrorCode, _ message: String) {
    self.remedy = remedy
    self.code = code
    self.message = message.plain(atMost: TesseraError.longestMessage)
  }

  /// Whether the same call may succeed later without any change.
  public var isRetryable: Bool {
    remedy == .retryLater
  }
}

extension TesseraError: CustomStringConvertible {
  /// The code, the remedy and the message.
  public var description: String {
    "\(code.rawValue) (\(remedy.name)): \(message)"
  }
}

extension TesseraError {
  /// The host said stop.
  package static func cancelled() -> TesseraError {
    TesseraError(.cancelled, .cancelled, "The call was cancelled.")
  }

  /// The deadline passed.
  package static func deadlineExceeded() -> TesseraError {
    TesseraError(
      .cancelled, .deadlineExceeded,
      "The deadline of the call passed: give it more time, or call again.")
  }

  /// A message of a server was not what it should be.
  package init(_ error: WireError) {
    switch error.code {
    case "id_token_issuer":
      self.init(.fixConfiguration, .issuerMismatch, error.message)
    case "id_token_tenant":
      self.init(.signIn, .accountNotInTenant, error.message)
    case "authorization_state":
      self.init(.fixRequest, .stateMismatch, error.message)
    case "authorization_issuer":
      self.init(.fixConfiguration, .issuerMismatch, error.message)
    case let code where AuthenticatorRules.codes[code] != nil:
      let code = AuthenticatorRules.codes[code] ?? .brokerFailed
      self.init(ErrorCode.remedies[code] ?? .signIn, code, error.message)
    case let code where code.hasPrefix("authorization_"):
      self.init(.signIn, .invalidAuthorizationResponse, error.message)
    case let code where code.hasPrefix("id_token"):
      self.init(.fixConfiguration, .invalidIDToken, error.message)
    default:
      self.init(.retryLater, .invalidResponse, error.message)
    }
  }
}
