// SPDX-License-Identifier: MIT
// The result of a token request, and its explanation.

package import TesseraCache
public import TesseraWire

/// The origin of a token.
public enum TokenSource: String, Sendable {
  /// The cache, without network access.
  case cache
  /// The server, in this call.
  case network
  /// The identity broker of this machine, in this call.
  case broker
}

/// An access token for a resource.
///
/// Copies share their content, so that returning a cached result costs one retain.
public struct TokenResult: Sendable {
  /// The content shared by copies of a result.
  ///
  /// It is copied on write.
  final class Content: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  /// The values of a result.
  struct Parts: Sendable {
    let accessToken: Secret
    let tokenType: String
    let expiresOn: Instant
    let extendedExpiresOn: Instant?
    let refreshOn: Instant?
    let scopes: [String]
    let idToken: Secret?
    let account: Account
    let tenantID: String
    let authority: String
    var source: TokenSource
    var isPersisted = true
    fileprivate var box: RareValuesBox?

    /// The values that most results do not have.
    var rareValues: RareValues {
      get { box?.rareValues ?? RareValues() }
      set { box = RareValuesBox(newValue) }
    }
  }

  /// The values that most results do not have.
  struct RareValues: Sendable {
    var refreshError: TesseraError?
    var warnings: [String] = []
    var explanation: Explanation?
    var hasExtendedLifetime = false
    var browserReason: String?
    var brokers: [BrokerVisit] = []
    var declinedScopes: [String] = []
  }

  /// A separate object, so that results without these values are smaller.
  fileprivate final class RareValuesBox: Sendable {
    let rareValues: RareValues

    init(_ rareValues: RareValues) { self.rareValues = rareValues }
  }

  /// The content of this result, shared with its copies.
  private(set) var content: Content

  /// Creates a result with the content of another one.
  init(_ content: Content) { self.content = content }

  /// Creates a result from its values.
  package init(
    accessToken: Secret, tokenType: String, expiresOn: Instant, extendedExpiresOn: Instant?,
    refreshOn: Instant?, scopes: [String], idToken: Secret?, account: Account, tenantID: String,
    authority: String, source: TokenSource
  ) {
    content = Content(
      Parts(
        accessToken: accessToken, tokenType: tokenType, expiresOn: expiresOn,
        extendedExpiresOn: extendedExpiresOn, refreshOn: refreshOn, scopes: scopes,
        idToken: idToken, account: account, tenantID: tenantID, authority: authority,
        source: source))
  }

  /// Creates a result from the records of a token.
  package init(
    accessToken: CredentialRecord, idToken: CredentialRecord?, account: Account,
    authority: String, source: TokenSource
  ) {
    self.init(
      accessToken: accessToken.secret, tokenType: accessToken.tokenType ?? "Bearer",
      expiresOn: accessToken.expiresAt ?? Instant(secondsSince1970: 0),
      extendedExpiresOn: accessToken.extendedExpiresAt, refreshOn: accessToken.refreshAt,
      scopes: Scopes.list(parsing: accessToken.target ?? ""), idToken: idToken?.secret,
      account: account,
      tenantID: accessToken.realm ?? "", authority: authority, source: source)
  }
}

extension TokenResult {
  /// The access token.
  public var accessToken: Secret { content.parts.accessToken }
  /// The token type, such as `Bearer`.
  public var tokenType: String { content.parts.tokenType }
  /// The value of the `Authorization` header of a request to the resource, such as `Bearer eyJ0…`.
  ///
  /// ``Secret/reveal()`` returns its text:
  /// `urlRequest.setValue(token.authorizationHeader.reveal(), forHTTPHeaderField: "Authorization")`.
  public var authorizationHeader: Secret {
    // Some servers return the type in lower case. Resources expect the scheme as in RFC 6750.
    let scheme = tokenType.lowercased() == "bearer" ? "Bearer" : tokenType
    return Secret(scheme + " " + accessToken.reveal())
  }
  /// The expiry time.
  package var expiresOn: Instant { content.parts.expiresOn }
  /// The extended expiry time, until which the token may be used during an outage; `nil` if the server grants none.
  package var extendedExpiresOn: Instant? { content.parts.extendedExpiresOn }
  /// The time from which the server recommends a refresh, which the library does automatically.
  package var refreshOn: Instant? { content.parts.refreshOn }
  /// The granted scopes, in the server's spelling.
  public var scopes: [String] { content.parts.scopes }
  /// The requested scopes that the server did not grant; empty if the token covers all of them.
  ///
  /// The token is stored and can be used for ``scopes``. Sign in interactively to ask for the declined ones.
  public var declinedScopes: [String] {
    get { content.parts.rareValues.declinedScopes }
    set { change { $0.rareValues.declinedScopes = newValue } }
  }
  /// The raw ID token; `nil` if the provider sent none.
  public var idToken: Secret? { content.parts.idToken }
  /// The claims of the ID token; `nil` without one.
  ///
  /// They are parsed at each access, to save memory in cached results.
  package var claims: JSONObject? { idToken.flatMap { try? JSONWebToken($0) }?.claims }
  /// The claims of the ID token; `nil` without one.
  ///
  /// They are parsed at each access, so keep the value if you need it often.
  public var idTokenClaims: TokenClaims? { claims.map(TokenClaims.init) }
  /// The account of the token.
  public var account: Account { content.parts.account }
  /// The tenant of the token; empty for a provider without tenants.
  public var tenantID: String { content.parts.tenantID }
  /// The authority that issued the token, with the resolved tenant.
  public var authority: String { content.parts.authority }
  /// The origin of the token.
  public var source: TokenSource {
    get { content.parts.source }
    set { change { $0.source = newValue } }
  }
  /// Whether the token is in the store.
  ///
  /// If it is not, ``warnings`` gives the reason.
  public var isPersisted: Bool {
    get { content.parts.isPersisted }
    set { change { $0.isPersisted = newValue } }
  }
  /// The error of a refresh that was due.
  ///
  /// The token is still valid.
  public var refreshError: TesseraError? {
    get { content.parts.rareValues.refreshError }
    set { change { $0.rareValues.refreshError = newValue } }
  }
  /// Problems that did not prevent the call from succeeding.
  public var warnings: [String] {
    get { content.parts.rareValues.warnings }
    set { change { $0.rareValues.warnings = newValue } }
  }
  /// Whether the token has expired and is returned only because the server is unavailable and allows this.
  public var hasExtendedLifetime: Bool {
    get { content.parts.rareValues.hasExtendedLifetime }
    set { change { $0.rareValues.hasExtendedLifetime = newValue } }
  }
  /// The explanation of how the token was selected, with timings; `nil` unless requested.
  public var explanation: Explanation? {
    get { content.parts.rareValues.explanation }
    set { change { $0.rareValues.explanation = newValue } }
  }

  /// The reason why a browser was or was not opened in a browser sign-in, as listed in docs/interactive.md.
  public var browserReason: String? {
    get { content.parts.rareValues.browserReason }
    set { change { $0.rareValues.browserReason = newValue } }
  }

  /// The results of the broker requests of this call; empty if there were none, as for a cached token.
  public var brokers: [BrokerVisit] {
    get { content.parts.rareValues.brokers }
    set { change { $0.rareValues.brokers = newValue } }
  }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = content.parts
    body(&parts)
    content = Content(parts)
  }
}

extension TokenResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The account, the scopes, the expiry time and the source, without the tokens.
  public var description: String {
    "TokenResult(\(account.label), scopes: \(scopes.joined(separator: " ")), "
      + "expires: \(expiresOn), source: \(source.rawValue))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without the tokens and their claims.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "account": account, "scopes": scopes, "declinedScopes": declinedScopes,
        "expiresAt": expiresOn.description,
        "tenantID": tenantID, "authority": authority, "source": source,
        "isPersisted": isPersisted, "warnings": warnings,
      ])
  }
}

/// The unverified contents of a token, for display and debugging.
///
/// Never use them for a decision.
///
/// The contents of an access token are defined by its resource, so a client must not depend on them. Anyone can create a
/// token with such contents. An application that receives tokens must verify them by other means.
public struct TokenDescription: Sendable, Hashable {
  /// The format of the token.
  public enum Kind: String, Sendable, CaseIterable {
    /// A JSON Web Token (RFC 7519).
    case jwt
    /// A format that only the issuer can read.
    case opaque
  }

  /// The format of the token.
  public let kind: Kind
  /// The `alg` header parameter; `nil` if there is none.
  public let algorithm: String?
  /// The issuer, as claimed by the token (`iss`).
  public let issuer: String?
  /// The audiences (`aud`).
  public let audiences: [String]
  /// The subject (`sub`).
  public let subject: String?
  /// The tenant (`tid`).
  public let tenantID: String?
  /// The application to which the token was issued (`azp`, `appid` or `client_id`).
  public let clientID: String?
  /// The user name (`preferred_username`, `upn` or `unique_name`).
  public let username: String?
  /// The delegated permissions (`scp` or `scope`).
  public let scopes: [String]
  /// The roles that are assigned to the application or the user (`roles`).
  public let roles: [String]
  /// The time of issue in seconds since 1970 (`iat`).
  package let issuedOn: Int64?
  /// The start of validity in seconds since 1970 (`nbf`).
  package let notBeforeOn: Int64?
  /// The expiry time in seconds since 1970 (`exp`).
  package let expiresOn: Int64?
  /// A hint about the use of such a token.
  public let hint: String

  /// Parses a token without verifying its signature.
  public init(_ token: Secret) {
    let parsed = try? JSONWebToken(TokenDescription.bare(token))
    let claims = parsed?.claims ?? JSONObject()
    kind = parsed == nil ? .opaque : .jwt
    algorithm = parsed?.header["alg"]?.string
    issuer = claims["iss"]?.string
    audiences = TokenDescription.texts(claims["aud"])
    subject = claims["sub"]?.string
    tenantID = claims["tid"]?.string
    clientID = ["azp", "appid", "client_id"].lazy.compactMap { claims[$0]?.string }.first
    username =
      ["preferred_username", "upn", "unique_name"].lazy
      .compactMap { claims[$0]?.string }.first
    scopes = TokenDescription.spaceSeparated(claims["scp"] ?? claims["scope"])
    roles = TokenDescription.texts(claims["roles"])
    issuedOn = claims["iat"]?.integer
    notBeforeOn = claims["nbf"]?.integer
    expiresOn = claims["exp"]?.integer
    hint = TokenDescription.hint(parsed, audiences)
  }

  /// Returns the token without surrounding white space and a leading `Bearer`, which are often copied along.
  private static func bare(_ token: Secret) -> Secret {
    let text = token.reveal().trimmed
    guard text.prefix(7).lowercased() == "bearer " else { return Secret(text) }
    return Secret(String(text.dropFirst(7)).trimmed)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? value?.array?.compactMap(\.string) ?? []
  }

  private static func spaceSeparated(_ value: JSONValue?) -> [String] {
    texts(value).flatMap { $0.split(separator: " ").map(String.init) }
  }

  private static func hint(_ token: JSONWebToken?, _ audiences: [String]) -> String {
    guard let token else {
      return
        "Not a JWT: only the issuer can read it. A client must treat an access token as opaque."
    }
    // Microsoft Graph, by its application ID and its addresses.
    let isGraph = audiences.contains { audience in
      audience == "00000003-0000-0000-c000-000000000000"
        || audience.hasPrefix("https://graph.microsoft.")
    }
    if isGraph || token.header["nonce"] != nil {
      return
        "For Microsoft Graph only: no other API can verify its signature. Request a scope of your own API instead."
    }
    if token.claims.hasIDTokenClaims {
      return
        "An ID token: it identifies the user to the application. Send an access token to an API instead."
    }
    let audience = audiences.first?.plain(atMost: 200).nonBlank ?? "an unspecified audience"
    return "For \(audience): an API accepts only tokens with its own audience (aud)."
  }
}

/// The result of a broker request for a token.
public struct BrokerVisit: Sendable, Hashable {
  /// The outcome of the request.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The broker returned the token.
    case used
    /// The call continued without the broker.
    case skipped
  }

  /// The broker, such as `linux`.
  public let broker: String
  /// The outcome of the request.
  public let outcome: Outcome
  /// The reason for which it was skipped, as listed in docs/brokers.md; `nil` if it was used.
  ///
  /// The set is open. If the broker returned an error, the reason is the corresponding error code.
  public let reason: String?
  /// The reason for developers; empty if the broker was used.
  public let message: String

  /// The result of a broker request that returned the token.
  package static let used = BrokerVisit(.used, nil, "")

  /// Creates the result for a broker that was skipped because of an error.
  init(skipped error: TesseraError) {
    let cause = error.causes.first { $0.domain == .broker && $0.code != nil }
    self.init(.skipped, cause?.code ?? error.code.rawValue, error.message)
  }

  private init(_ outcome: Outcome, _ reason: String?, _ message: String) {
    self.init(broker: "linux", outcome: outcome, reason: reason, message: message)
  }

  /// Creates the result of a request.
  public init(broker: String, outcome: Outcome, reason: String? = nil, message: String = "") {
    self.broker = broker
    self.outcome = outcome
    self.reason = reason
    self.message = message
  }
}

/// The explanation of a silent call: its decision and the reason.
///
/// See ``PublicClientApplication/explain(_:cancellation:)``. It contains no token, so it may be logged.
public struct Explanation: Sendable {
  /// The first step of a silent call.
  public enum Decision: String, Sendable {
    /// Return a cached token.
    case use
    /// Send a request to the identity broker.
    ///
    /// If that fails, the next step depends on the policy.
    case broker
    /// Redeem a refresh token.
    case refresh
    /// Send no request, because the same request failed recently.
    ///
    /// Return a fallback token if there is one.
    case pause
    /// Throw an error; the user must sign in interactively.
    case signIn = "sign_in"
    /// Return the token of the sign-in that has just succeeded.
    case signedIn = "signed_in"
  }

  /// The first step of the call.
  public let decision: Decision
  /// The reason: `valid` for a cached token, the reason of a refresh, or otherwise the code of the error.
  ///
  /// The reasons of a refresh are `missing`, `expired`, `due`, `doubtful`, `forced` and `claims`. After a sign-in, it is
  /// the flow that was used, such as `device_code`.
  public let reason: String
  /// The error that the call would throw, or for which it would return a fallback token or the token for the granted
  /// scopes, without sending a request.
  public let error: TesseraError?
  /// The requested account.
  public let homeAccountID: String
  /// The requested authority.
  public let authority: String
  /// The tenant of the authority for this account; `nil` if it is not resolved yet, empty if the provider has no tenants.
  public let tenantID: String?
  /// The hosts of the cloud, or the issuer, that are searched for tokens.
  public let environments: [String]
  /// The requested scopes.
  public let scopes: [String]
  /// All access tokens and refresh tokens of the account in the store, in order of preference.
  public let candidates: [TokenCandidate]
  /// The kind of token store.
  public let store: StoreKind
  /// The time to read the store and to decide, in microseconds.
  let readMicroseconds: Int64
  /// The total time of the HTTP requests, in microseconds; `nil` in a dry run.
  package var networkMicroseconds: Int64?
  /// The results of the broker requests; empty in a dry run, and if there were none.
  public var brokers: [BrokerVisit] = []
  /// The total time of the call including waits, in microseconds; `nil` in a dry run.
  package var totalMicroseconds: Int64?

  /// Creates an explanation, such as for a test.
  public init(
    decision: Decision, reason: String, error: TesseraError? = nil, homeAccountID: String,
    authority: String, tenantID: String? = nil, environments: [String] = [], scopes: [String],
    candidates: [TokenCandidate] = [], store: StoreKind = .sqlite
  ) {
    self.decision = decision
    self.reason = reason
    self.error = error
    self.homeAccountID = homeAccountID
    self.authority = authority
    self.tenantID = tenantID
    self.environments = environments
    self.scopes = scopes
    self.candidates = candidates
    self.store = store
    readMicroseconds = 0
  }

  /// Creates the explanation of a sign-in with a device code.
  init(
    signIn result: TokenResult, _ authority: Authority, _ requestedScopes: Scopes, store: StoreKind
  ) {
    (decision, reason, error) = (.signedIn, "device_code", nil)
    homeAccountID = result.account.homeAccountID
    self.authority = authority.text
    tenantID = result.tenantID
    environments = [result.account.environment]
    scopes = requestedScopes.list
    candidates = []
    self.store = store
    readMicroseconds = 0
  }
}

extension Explanation {
  /// The time to read the store and to decide.
  public var readTime: Duration { .microseconds(readMicroseconds) }
  /// The total time of the HTTP requests; `nil` in a dry run.
  public var networkTime: Duration? { networkMicroseconds.map { .microseconds($0) } }
  /// The total time of the call including waits; `nil` in a dry run.
  public var totalTime: Duration? { totalMicroseconds.map { .microseconds($0) } }

  /// A sentence that describes the decision.
  public var message: String {
    switch decision {
    case .use: "A cached token is returned."
    case .broker: "\(refreshReasonText), so the token is requested from the identity broker."
    case .refresh: "\(refreshReasonText), so a refresh token is redeemed."
    case .pause:
      candidates.contains { $0.role == .fallback }
        ? "The same request failed recently, so a cached token that is still valid is returned."
        : error?.message ?? ""
    case .signIn: error?.message ?? ""
    case .signedIn: "The user has signed in on another device."
    }
  }

  private var refreshReasonText: String {
    guard error == nil else { return "The same request to the server failed recently" }
    return switch reason {
    case RefreshReason.forced.rawValue: "A new token was requested"
    case RefreshReason.claims.rawValue: "A claims challenge rejects the cached token"
    case RefreshReason.expired.rawValue: "The cached token has expired"
    case RefreshReason.due.rawValue: "The refresh time of the cached token has passed"
    case RefreshReason.doubtful.rawValue:
      "A clock change makes the validity of the cached token uncertain"
    default: "No cached token covers the request"
    }
  }
}

/// The reason for a refresh.
///
/// The raw values are part of the JSON interface (docs/explain.md) and must not change.
package enum RefreshReason: String, Sendable {
  case forced
  case claims
  case missing
  case expired
  case due
  case doubtful

  /// Whether the cached token is still usable, so that the caller need not wait for a new one.
  package var isOptional: Bool { self == .due || self == .doubtful }
}

/// The reason for which a cached token is not used for a request.
///
/// The set is open: new names may be added, and existing ones keep their meaning.
public struct RejectionReason: RawRepresentable, Sendable, Hashable {
  /// The name, in snake case.
  public let rawValue: String

  /// Creates a reason from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension RejectionReason {
  // Reasons of ownership.

  /// The account has signed out of this application.
  public static let signedOut = RejectionReason("signed_out")
  /// It belongs to another account.
  ///
  /// Providers other than Entra have case-sensitive identifiers.
  public static let otherAccount = RejectionReason("other_account")
  /// It was issued to another application.
  public static let otherApplication = RejectionReason("other_application")
  /// It is a refresh token of a family that this application does not belong to.
  public static let otherFamily = RejectionReason("other_family")
  /// It was issued by another cloud or another issuer.
  public static let otherEnvironment = RejectionReason("other_environment")
  /// It is for another tenant.
  public static let otherTenant = RejectionReason("other_tenant")
  /// The tenant of the authority is not resolved yet.
  public static let tenantUnknown = RejectionReason("tenant_unknown")

  // Reasons of purpose.

  /// It has another token type, such as a token that is bound to a key or a device.
  public static let otherScheme = RejectionReason("other_scheme")
  /// It was issued for other claims or client capabilities.
  public static let otherClaims = RejectionReason("other_claims")
  /// It was issued for another enrollment in Intune app protection.
  public static let otherEnrollment = RejectionReason("other_enrollment")
  /// It does not cover all of the scopes.
  public static let scopesMissing = RejectionReason("scopes_missing")

  // Reasons of lifetime.

  /// It has expired, or expires within the margin of the configuration.
  public static let expired = RejectionReason("expired")
  /// It was received after the current time: the clock was set back, so the expiry time is unreliable.
  public static let fromTheFuture = RejectionReason("from_the_future")
  /// The clocks disagree about its age, so it is returned only if no newer one can be acquired.
  public static let doubtful = RejectionReason("doubtful")
  /// The server recommends a refresh by now, so it is returned only if no newer one can be acquired.
  public static let refreshDue = RejectionReason("refresh_due")

  // Reasons of the request and of earlier requests.

  /// The caller forced a refresh.
  public static let refreshForced = RejectionReason("refresh_forced")
  /// A claims challenge states that the resource rejects the token.
  public static let claimsChallenge = RejectionReason("claims_challenge")
  /// A cached access token is sufficient, so no refresh is needed.
  public static let notNeeded = RejectionReason("not_needed")
  /// Another suitable token is preferred.
  public static let anotherFirst = RejectionReason("another_first")
  /// It is a copy of another token in the list, stored for the family.
  public static let sameToken = RejectionReason("same_token")
  /// The server replaced it in a response that failed validation, so it is not sent again.
  public static let superseded = RejectionReason("superseded")
  /// The server rejected it for this request recently.
  public static let refusedRecently = RejectionReason("refused_recently")
  /// The same request failed recently and is not repeated yet.
  public static let failedRecently = RejectionReason("failed_recently")
}

/// A cached token of the account that a request could use, with the reasons for its rejection.
public struct TokenCandidate: Sendable, Hashable {
  /// The use of a token by a request.
  public enum Role: String, Sendable {
    /// It is returned, or redeemed first.
    case used
    /// It is returned, or redeemed, if the preferred token fails.
    case fallback
    /// It is not used.
    case notUsed = "not_used"
  }

  /// The credential type in the store, such as `AccessToken` or `RefreshToken`.
  public let credentialType: String
  /// The client ID of the application to which it was issued.
  public let clientID: String
  /// The family of applications that may redeem it; `nil` for none.
  public let familyID: String?
  /// The cloud or the issuer.
  public let environment: String
  /// The tenant of an access token; `nil` for a refresh token, which is valid for all tenants.
  public let tenantID: String?
  /// The scopes of an access token.
  public let scopes: [String]
  /// The requested scopes that an access token lacks.
  public let missingScopes: [String]
  /// The time of receipt; `nil` if it is unknown.
  package let cachedOn: Instant?
  /// The expiry time; `nil` if it is unknown.
  package let expiresOn: Instant?
  /// The time from which the server recommends a refresh; `nil` if the server did not send it.
  package let refreshOn: Instant?
  /// The use of the token by the request.
  public let role: Role
  /// The reasons for which it is not used, or not preferred; empty for a used token.
  public let obstacles: [RejectionReason]

  /// Creates a candidate without times.
  public init(
    credentialType: String, clientID: String, familyID: String? = nil, environment: String,
    tenantID: String? = nil, scopes: [String] = [], missingScopes: [String] = [], role: Role,
    obstacles: [RejectionReason] = []
  ) {
    self.credentialType = credentialType
    self.clientID = clientID
    self.familyID = familyID
    self.environment = environment
    self.tenantID = tenantID
    self.scopes = scopes
    self.missingScopes = missingScopes
    self.role = role
    self.obstacles = obstacles
    (cachedOn, expiresOn, refreshOn) = (nil, nil, nil)
  }

  /// Creates a candidate from a record.
  package init(
    _ record: CredentialRecord, missing: Scopes, role: Role, obstacles: [RejectionReason]
  ) {
    credentialType = record.type.name
    clientID = record.clientID
    familyID = record.familyID
    environment = record.environment
    tenantID = record.type.isRefreshToken ? nil : record.realm
    scopes = record.scopes.list
    missingScopes = missing.list
    cachedOn = record.cachedAt
    expiresOn = record.expiresAt
    refreshOn = record.refreshAt
    self.role = role
    self.obstacles = obstacles
  }
}
