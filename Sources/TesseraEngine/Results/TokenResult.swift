// SPDX-License-Identifier: MIT
// An access token with its metadata.

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
      scopes: accessToken.scopes.list, idToken: idToken?.secret, account: account,
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
