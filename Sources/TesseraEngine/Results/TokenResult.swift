// SPDX-License-Identifier: MIT
// Token results.

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
