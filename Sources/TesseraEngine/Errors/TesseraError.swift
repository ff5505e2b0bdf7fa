// SPDX-License-Identifier: MIT
// The error type of the library: remedy, code, message and the values that the server sent.

package import TesseraWire

/// An error with a remedy.
///
/// Copies share their content. An error is a single pointer, so that the stack frames of functions that throw stay small.
public struct TesseraError: Error, Sendable {
  /// The content shared by copies of an error.
  ///
  /// It is copied on write.
  private final class Content: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  /// The values of an error.
  private struct Parts: Sendable {
    var remedy: Remedy
    var code: Code
    var message: String
    var retryAfterSeconds: Int64?
    var oauthError: String?
    var suberror: String?
    var serverCodes: [Int64] = []
    var correlationID: String?
    var traceID: String?
    var claims: String?
    var grantedScopes: [String] = []
    var declinedScopes: [String] = []
    var username: String?
    var homeAccountID: String?
    var appLink: String?
    var requiresTokenProtection = false
    var authority: String?
    var holderProcessID: Int64?
    var accounts: [Account] = []
    var causes: [Cause] = []
    var browserProblem: String?
    var isRecorded = false
    var isUnsent = false
    var representsOutage = false
  }

  /// The content of this error, shared with its copies.
  private var content: Content

  /// The maximum length of a message in Unicode scalars.
  ///
  /// Part of it may come from a server.
  private static let maximumMessageLength = 2000

  /// Creates an error with a remedy, a code and a message.
  public init(_ remedy: Remedy, _ code: Code, _ message: String) {
    content = Content(
      Parts(
        remedy: remedy, code: code,
        message: message.plain(atMost: TesseraError.maximumMessageLength)))
  }
}

extension TesseraError {
  /// The action that the application should take.
  public var remedy: Remedy {
    get { content.parts.remedy }
    set { change { $0.remedy = newValue } }
  }
  /// The code of the error.
  public var code: Code {
    get { content.parts.code }
    set { change { $0.code = newValue } }
  }
  /// A description for developers: one line without secrets and control characters.
  public var message: String {
    get { content.parts.message }
    set { change { $0.message = newValue } }
  }
  /// The time after which to retry, in seconds, if the server sent it.
  package var retryAfterSeconds: Int64? {
    get { content.parts.retryAfterSeconds }
    set { change { $0.retryAfterSeconds = newValue } }
  }
  /// The `error` value that the server sent.
  public var oauthError: String? {
    get { content.parts.oauthError }
    set { change { $0.oauthError = newValue } }
  }
  /// The `suberror` value that the server sent.
  public var suberror: String? {
    get { content.parts.suberror }
    set { change { $0.suberror = newValue } }
  }
  /// The AADSTS numbers that the server sent.
  public var serverCodes: [Int64] {
    get { content.parts.serverCodes }
    set { change { $0.serverCodes = newValue } }
  }
  /// The correlation ID of the request, for the server's support.
  public var correlationID: String? {
    get { content.parts.correlationID }
    set { change { $0.correlationID = newValue } }
  }
  /// The trace ID of the request, for the server's support.
  public var traceID: String? {
    get { content.parts.traceID }
    set { change { $0.traceID = newValue } }
  }
  /// The claims to pass on to an interactive request.
  public var claims: String? {
    get { content.parts.claims }
    set { change { $0.claims = newValue } }
  }
  /// The granted scopes, if the server declined others (``Code/serverDeclinedScopes``).
  public var grantedScopes: [String] {
    get { content.parts.grantedScopes }
    set { change { $0.grantedScopes = newValue } }
  }
  /// The declined scopes.
  public var declinedScopes: [String] {
    get { content.parts.declinedScopes }
    set { change { $0.declinedScopes = newValue } }
  }
  /// The user name of the affected account, if the server sent it.
  public var username: String? {
    get { content.parts.username }
    set { change { $0.username = newValue } }
  }
  /// The affected account, for a policy that applies to one user.
  public var homeAccountID: String? {
    get { content.parts.homeAccountID }
    set { change { $0.homeAccountID = newValue } }
  }
  /// The download address of the application that the device needs.
  ///
  /// It is not authenticated, so show it before you open it.
  public var appLink: String? {
    get { content.parts.appLink }
    set { change { $0.appLink = newValue } }
  }
  /// Whether the organization requires tokens that are bound to the device.
  public var requiresTokenProtection: Bool {
    get { content.parts.requiresTokenProtection }
    set { change { $0.requiresTokenProtection = newValue } }
  }
  /// The address of the authority that requires app protection.
  public var authority: String? {
    get { content.parts.authority }
    set { change { $0.authority = newValue } }
  }
  /// The ID of the process that held the lock for which the call waited, if the system reports it.
  public var holderProcessID: Int64? {
    get { content.parts.holderProcessID }
    set { change { $0.holderProcessID = newValue } }
  }
  /// The accounts that match an ambiguous request.
  public var accounts: [Account] {
    get { content.parts.accounts }
    set { change { $0.accounts = newValue } }
  }
  /// The causes, the most direct one first: errors of a server, a library or the system, or an earlier error.
  public var causes: [Cause] {
    get { content.parts.causes }
    set { change { $0.causes = newValue } }
  }
  /// The reason why no browser was opened, for a text that offers another sign-in; only with `browser_unavailable`.
  public package(set) var browserProblem: String? {
    get { content.parts.browserProblem }
    set { change { $0.browserProblem = newValue } }
  }
  /// Whether this is the recorded error of an earlier request, so that no request was sent.
  package var isRecorded: Bool {
    get { content.parts.isRecorded }
    set { change { $0.isRecorded = newValue } }
  }
  /// Whether no byte of the request was sent, so that its credential can be used again.
  package var isUnsent: Bool {
    get { content.parts.isUnsent }
    set { change { $0.isUnsent = newValue } }
  }
  /// Whether this error represents an earlier failure due to a server outage.
  package var representsOutage: Bool {
    get { content.parts.representsOutage }
    set { change { $0.representsOutage = newValue } }
  }

  /// Whether the server was unavailable.
  package var isOutage: Bool { code == .serverUnavailable || representsOutage }

  /// The time after which to retry, if the server sent it; in whole seconds.
  public var retryAfter: Duration? {
    get { retryAfterSeconds.map { .seconds($0) } }
    set { retryAfterSeconds = newValue?.wholeSeconds }
  }

  /// Whether the same call may succeed later without any change.
  public var isRetryable: Bool {
    remedy == .retryLater
  }

  // Not inlined, because each inlined copy would add the size of all values to the frame of its caller.
  @inline(never)
  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = content.parts
    body(&parts)
    content = Content(parts)
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

  /// Runs a step before a request is sent, and marks its error as ``isUnsent``.
  package static func beforeSending(
    _ step: () throws(TesseraError) -> Void
  ) throws(TesseraError) {
    do throws(TesseraError) {
      try step()
    } catch {
      var error = error
      error.isUnsent = true
      throw error
    }
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
    case let code where AuthenticatorErrorTable.codes[code] != nil:
      let code = AuthenticatorErrorTable.codes[code] ?? .brokerFailed
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
