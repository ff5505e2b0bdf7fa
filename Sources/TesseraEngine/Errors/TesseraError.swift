// SPDX-License-Identifier: MIT
// The error type of the library: remedy, code, message and the values that the server sent.

package import TesseraWire

/// An error with a remedy.
public struct TesseraError: Error, Sendable {
  /// The action that the application should take.
  public var remedy: Remedy
  /// The code of the error.
  public var code: Code
  /// A description for developers: one line without secrets and control characters.
  public var message: String
  /// The time after which to retry, in seconds, if the server sent it.
  package var retryAfterSeconds: Int64?
  /// The `error` value that the server sent.
  public var oauthError: String?
  /// The `suberror` value that the server sent.
  public var suberror: String?
  /// The AADSTS numbers that the server sent.
  public var serverCodes: [Int64] = []
  /// The correlation ID of the request, for the server's support.
  public var correlationID: String?
  /// The trace ID of the request, for the server's support.
  public var traceID: String?
  /// The claims to pass on to an interactive request.
  public var claims: String?
  /// The granted scopes, if the server declined others.
  public var grantedScopes: [String] = []
  /// The declined scopes.
  public var declinedScopes: [String] = []
  /// The token for the granted scopes, if the server declined others.
  ///
  /// It is stored and can be used.
  public var result: TokenResult?
  /// The user name of the affected account, if the server sent it.
  public var username: String?
  /// The affected account, for a policy that applies to one user.
  public var homeAccountID: String?
  /// The download address of the application that the device needs.
  ///
  /// It is not authenticated, so show it before you open it.
  public var appLink: String?
  /// Whether the organization requires tokens that are bound to the device.
  public var requiresTokenProtection = false
  /// The address of the authority that requires app protection.
  public var authority: String?
  /// The ID of the process that held the lock for which the call waited, if the system reports it.
  public var holderProcessID: Int64?
  /// The accounts that match an ambiguous request.
  public var accounts: [Account] = []
  /// The causes, the most direct one first: errors of a server, a library or the system, or an earlier error.
  public var causes: [Cause] = []

  /// The maximum length of a message in Unicode scalars.
  ///
  /// Part of it may come from a server.
  private static let maximumMessageLength = 2000

  /// The reason why no browser was opened, for a text that offers another sign-in.
  package var browserProblem: String?

  /// Whether this is the recorded error of an earlier request, so that no request was sent.
  package var isRecorded = false

  /// Whether this error represents an earlier failure due to a server outage.
  package var representsOutage = false

  /// Whether the server was unavailable.
  package var isOutage: Bool { code == .serverUnavailable || representsOutage }

  /// Creates an error with a remedy, a code and a message.
  public init(_ remedy: Remedy, _ code: Code, _ message: String) {
    self.remedy = remedy
    self.code = code
    self.message = message.plain(atMost: TesseraError.maximumMessageLength)
  }

  /// The time after which to retry, if the server sent it; in whole seconds.
  public var retryAfter: Duration? {
    get { retryAfterSeconds.map { .seconds($0) } }
    set { retryAfterSeconds = newValue?.wholeSeconds }
  }

  /// Whether the same call may succeed later without any change.
  public var isRetryable: Bool {
    remedy == .retryLater
  }
}

extension TesseraError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The code, the remedy and the message.
  public var description: String {
    "\(code.rawValue) (\(remedy.name)): \(message)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}

extension TesseraError {
  /// Returns the error for a call that the host application cancelled.
  package static func cancelled() -> TesseraError {
    TesseraError(.cancelled, .cancelled, "The call was cancelled.")
  }

  /// Returns the error for a call that has exceeded its deadline.
  package static func deadlineExceeded() -> TesseraError {
    TesseraError(
      .cancelled, .deadlineExceeded,
      "The call timed out: increase its timeout, or call again.")
  }

  /// Creates the error for an invalid message of a server.
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
      self.init(Code.remedies[code] ?? .signIn, code, error.message)
    case let code where code.hasPrefix("authorization_"):
      self.init(.signIn, .invalidAuthorizationResponse, error.message)
    case let code where code.hasPrefix("id_token"):
      self.init(.fixConfiguration, .invalidIDToken, error.message)
    default:
      self.init(.retryLater, .invalidResponse, error.message)
    }
  }
}
