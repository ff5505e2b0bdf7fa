// SPDX-License-Identifier: MIT
// The error of all calls.

package import TesseraCache
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

extension TesseraError {
  /// One link of the chain of causes of an error: an error from outside Tessera, or an earlier error of Tessera.
  ///
  /// It is for developers. It contains no secrets, only error numbers and their descriptions.
  public struct Cause: Error, Sendable, Hashable {
    /// The source of an error number or error code.
    ///
    /// The set is open: new domains may be added.
    public struct Domain: RawRepresentable, Sendable, Hashable {
      /// The name, in snake case.
      public let rawValue: String

      /// Creates a domain with a name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Tessera itself.
      ///
      /// ``TesseraError/Cause/code`` is the code of an earlier error.
      public static let tessera = Domain(rawValue: "tessera")
      /// A key source.
      ///
      /// ``TesseraError/Cause/code`` is the `problem` of an attempt in ``StoreInfo``.
      public static let keySource = Domain(rawValue: "key_source")
      /// A server.
      ///
      /// The number is the status of its response (RFC 9110 section 15).
      public static let http = Domain(rawValue: "http")
      /// libcurl.
      ///
      /// The number is its result (`CURLcode`).
      public static let libcurl = Domain(rawValue: "libcurl")
      /// SQLite.
      ///
      /// The number is its result code.
      public static let sqlite = Domain(rawValue: "sqlite")
      /// Microsoft Authenticator.
      ///
      /// The number is its `broker_error_code`.
      public static let authenticator = Domain(rawValue: "authenticator")
      /// Another broker.
      ///
      /// The number is that of the broker's error, for example of `MSIDErrorDomain`. The code is the reason why the Linux
      /// broker was skipped.
      public static let broker = Domain(rawValue: "broker")
      /// The operating system.
      ///
      /// The number is `errno`.
      public static let system = Domain(rawValue: "system")
    }

    /// The source of the number or code.
    public let domain: Domain
    /// The error number; `nil` if there is a code.
    public let number: Int64?
    /// The code of an earlier error, or of the problem of a key source; `nil` if there is a number.
    public let code: String?
    /// A description for developers, in one line.
    public let message: String

    /// The maximum length of the chain.
    static let limit = 8

    /// Creates a cause with an error number.
    public init(_ domain: Domain, _ number: Int64, _ message: String) {
      self.domain = domain
      self.number = number
      code = nil
      self.message = message.plain(atMost: 500)
    }

    /// Creates a cause with an error code.
    public init(_ domain: Domain, code: String, _ message: String) {
      self.domain = domain
      number = nil
      self.code = code
      self.message = message.plain(atMost: 500)
    }
  }
}

extension TesseraError.Cause: CustomStringConvertible {
  /// The domain, the number or the code, and the message.
  public var description: String {
    let name = number.map(String.init) ?? code ?? ""
    return "\(domain.rawValue) \(name): \(message)"
  }
}

extension TesseraError.Cause {
  /// The cause as JSON, for the document "Error".
  var json: JSONValue {
    var json = JSONObject()
    json.append("domain", domain.rawValue)
    if let number { json.append("number", .integer(number)) }
    json.append("code", code)
    json.append("message", message)
    return .object(json)
  }

  /// Parses a recorded cause.
  ///
  /// Returns `nil` if it is not one.
  init?(_ json: JSONValue) {
    guard let name = json.object?["domain"]?.string else { return nil }
    let domain = Domain(rawValue: name.plain(atMost: 50))
    let message = json.object?["message"]?.string ?? ""
    if let number = json.object?["number"]?.integer {
      self.init(domain, number, message)
    } else if let code = json.object?["code"]?.string {
      self.init(domain, code: code.plain(atMost: 50), message)
    } else {
      return nil
    }
  }
}

extension TesseraError {
  /// Returns the error with another cause added at the front of the chain.
  package func caused(by cause: TesseraError.Cause) -> TesseraError {
    var error = self
    error.causes = Array(([cause] + causes).prefix(TesseraError.Cause.limit))
    return error
  }

  /// Returns the error with an earlier error and its causes added at the end of the chain.
  package func caused(by other: TesseraError) -> TesseraError {
    var error = self
    let links =
      [TesseraError.Cause(.tessera, code: other.code.rawValue, other.message)] + other.causes
    error.causes = Array((causes + links).prefix(TesseraError.Cause.limit))
    return error
  }
}

extension TesseraError {
  /// The code of an error, such as `interaction_required`.
  ///
  /// The set is open: new codes may be added, and existing ones keep their meaning. Switch over ``TesseraError/Remedy``,
  /// and use the code only where one error needs special handling.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code, in snake case.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a code of the table.
    init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }
}

/// A code of `MSALErrorDomain` and, for `MSALErrorInternal`, an internal code.
struct MSALErrorNumbers: Sendable {
  let code: Int64
  let internalCode: Int64?

  init(_ code: Int64, _ internalCode: Int64? = nil) {
    self.code = code
    self.internalCode = internalCode
  }
}

extension TesseraError {
  /// The `MSALErrorDomain` code and, for `MSALErrorInternal`, the internal code; `nil` if MSAL uses another domain.
  public var msalCode: (code: Int64, internalCode: Int64?)? {
    let errorNames = [suberror, oauthError ?? ""].compactMap { $0?.lowercased() }
    let special = errorNames.lazy.compactMap {
      MSALErrorNumbers.errorNames["\(code.rawValue) \($0)"]
    }.first
    guard let numbers = special ?? MSALErrorNumbers.codes[code] else { return nil }
    return (numbers.code, numbers.internalCode)
  }
}

extension TesseraError {
  /// The action that the application should take after an error.
  ///
  /// Every application must handle ``signIn``: the user must sign in. For all other errors it is sufficient to show
  /// ``TesseraError/message``, and to retry later if ``TesseraError/isRetryable`` is `true`. If the server granted fewer
  /// scopes than requested, the call succeeds, and ``TokenResult/declinedScopes`` names the others. The set of remedies is
  /// closed; the set of codes is open.
  public enum Remedy: Int32, Sendable, CaseIterable {
    /// Start an interactive flow, and pass on ``TesseraError/claims``.
    case signIn = 1
    /// Retry after ``TesseraError/retryAfter``.
    case retryLater = 2
    /// Correct the call.
    case fixRequest = 3
    /// Correct the registration of the application or its configuration.
    case fixConfiguration = 4
    /// Repair the token store, or use another one.
    case fixStorage = 5
    /// Do nothing: the user or the host application cancelled the call, or its deadline passed.
    case cancelled = 6
    /// Report the bug, including the message.
    case reportBug = 7

    /// The name in JSON, such as `sign_in`.
    public var name: String {
      switch self {
      case .signIn: "sign_in"
      case .retryLater: "retry_later"
      case .fixRequest: "fix_request"
      case .fixConfiguration: "fix_configuration"
      case .fixStorage: "fix_storage"
      case .cancelled: "cancelled"
      case .reportBug: "report_bug"
      }
    }
  }
}

extension TesseraError {
  /// Creates an error that requires a sign-in.
  ///
  /// If the store is missing, empty or damaged, the error reports this.
  package init(absence condition: StoreCondition, _ reason: String) {
    switch condition {
    case .usable: self.init(.signIn, .interactionRequired, reason)
    case .missing:
      self.init(
        .signIn, .storeMissing,
        "The token store does not exist: no user has signed in yet, or it was deleted. Sign in.")
    case .empty:
      self.init(
        .signIn, .storeEmpty, "The token store is empty: no user is signed in. Sign in.")
    case .damaged(let what): self.init(.signIn, .cacheDamaged, what)
    }
  }
}

extension TesseraError {
  /// The members of an error that are recorded.
  package var recordedMembers: JSONObject {
    var error = self
    error.accounts = []
    return error.members
  }

  /// Parses a recorded error.
  init(recordedError json: JSONObject) {
    let remedy = TesseraError.Remedy.allCases.first { $0.name == json["remedy"]?.string }
    self.init(
      remedy ?? .retryLater, TesseraError.Code(rawValue: json["code"]?.string ?? "throttled"),
      json["message"]?.string ?? "")
    retryAfterSeconds = json["retry_after"]?.integer
    oauthError = json["oauth_error"]?.string?.plain(atMost: 200)
    suberror = json["suberror"]?.string?.plain(atMost: 200)
    serverCodes = (json["server_codes"]?.array ?? []).compactMap(\.integer)
    correlationID = json["correlation_id"]?.string?.plain(atMost: 200)
    traceID = json["trace_id"]?.string?.plain(atMost: 200)
    claims = json["claims"]?.string
    username = json["username"]?.string?.plain(atMost: 200)
    homeAccountID = json["home_account_id"]?.string
    grantedScopes = (json["granted_scopes"]?.array ?? []).compactMap(\.string)
    declinedScopes = (json["declined_scopes"]?.array ?? []).compactMap(\.string)
    causes = (json["causes"]?.array ?? []).prefix(TesseraError.Cause.limit).compactMap(
      TesseraError.Cause.init)
  }
}

extension TesseraError {
  /// The error for an asynchronous call without a thread.
  package static var tooManyThreads: TesseraError {
    TesseraError(
      .retryLater, .tooManyThreads,
      "The process cannot start another thread (ulimit -u, or a limit of its container): end threads, raise the limit, or "
        + "use a blocking call.")
  }
}
