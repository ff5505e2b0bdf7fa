// SPDX-License-Identifier: MIT
// A token with everything an application may want to know about it.

package import TesseraCache
public import TesseraWire

/// Where a token came from.
public enum TokenSource: String, Sendable {
  /// From the cache, without any network.
  case cache
  /// From the server, just now.
  case network
  /// From the identity broker of this machine, just now.
  case broker
}

/// A token for a resource.
///
/// Copies share their content, so that handing one out again costs no more than one reference.
public struct TokenResult: Sendable {
  /// What the copies of a result share; whoever changes one of them makes a content of its own.
  final class Content: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  /// What a result says.
  struct Parts: Sendable {
    let accessToken: Secret
    let tokenType: String
    let expiresAt: Instant
    let extendedExpiresAt: Instant?
    let refreshAt: Instant?
    let scopes: [String]
    let idToken: Secret?
    let account: Account
    let tenantID: String
    let authority: String
    var source: TokenSource
    var isPersisted = true
    fileprivate var box: RemarksBox?

    /// What hardly any result says.
    var remarks: Remarks {
      get { box?.remarks ?? Remarks() }
      set { box = RemarksBox(newValue) }
    }
  }

  /// What hardly any result says.
  struct Remarks: Sendable {
    var refreshError: TesseraError?
    var warnings: [String] = []
    var explanation: Explanation?
    var hasExtendedLifetime = false
    var browserReason: String?
    var brokers: [BrokerVisit] = []
  }

  /// Apart, so that they take no room in results without them.
  fileprivate final class RemarksBox: Sendable {
    let remarks: Remarks

    init(_ remarks: Remarks) { self.remarks = remarks }
  }

  /// What this result says, shared with its copies.
  private(set) var content: Content

  /// A result that says the same as another one.
  init(_ content: Content) { self.content = content }

  /// A result from the records of a token.
  package init(
    accessToken: CredentialRecord, idToken: CredentialRecord?, account: Account,
    authority: String, source: TokenSource
  ) {
    content = Content(
      Parts(
        accessToken: accessToken.secret, tokenType: accessToken.tokenType ?? "Bearer",
        expiresAt: accessToken.expiresAt ?? Instant(secondsSince1970: 0),
        extendedExpiresAt: accessToken.extendedExpiresAt, refreshAt: accessToken.refreshAt,
        scopes: accessToken.scopes.list, idToken: idToken?.secret, account: account,
        tenantID: accessToken.realm ?? "", authority: authority, source: source))
  }
}

extension TokenResult {
  /// The access token.
  public var accessToken: Secret { content.parts.accessToken }
  /// How it is used, such as `Bearer`.
  public var tokenType: String { content.parts.tokenType }
  /// The value of the `Authorization` header of a request to the resource, such as `Bearer eyJ0…`.
  ///
  /// ``Secret/reveal()`` returns its text:
  /// `urlRequest.setValue(token.authorizationHeader.reveal(), forHTTPHeaderField: "Authorization")`.
  public var authorizationHeader: Secret {
    // Servers also spell the type in lower case; resources then expect the scheme of RFC 6750.
    let scheme = tokenType.lowercased() == "bearer" ? "Bearer" : tokenType
    return Secret(scheme + " " + accessToken.reveal())
  }
  /// When it expires.
  public var expiresAt: Instant { content.parts.expiresAt }
  /// Until when it may serve during an outage; nil if the server grants no such thing.
  public var extendedExpiresAt: Instant? { content.parts.extendedExpiresAt }
  /// From when on the server would like it refreshed; the library does that by itself.
  public var refreshAt: Instant? { content.parts.refreshAt }
  /// What was granted, as the server spelled it.
  public var scopes: [String] { content.parts.scopes }
  /// The raw ID token; nil when the provider sent none.
  public var idToken: Secret? { content.parts.idToken }
  /// The claims of the ID token; nil without one.
  ///
  /// They are read from it each time: remembered results are many.
  package var claims: JSONObject? { idToken.flatMap { try? JSONWebToken($0) }?.claims }
  /// The claims of the ID token, as JSON text; keep it if you need it often.
  public var idTokenClaims: String? { claims.map { JSONValue.object($0).serialized } }
  /// Who it is for.
  public var account: Account { content.parts.account }
  /// The tenant it is for; empty for a provider without tenants.
  public var tenantID: String { content.parts.tenantID }
  /// The authority it came from, with the tenant it led to.
  public var authority: String { content.parts.authority }
  /// Where it came from.
  public package(set) var source: TokenSource {
    get { content.parts.source }
    set { change { $0.source = newValue } }
  }
  /// Whether the store has it; if not, ``warnings`` say why.
  public package(set) var isPersisted: Bool {
    get { content.parts.isPersisted }
    set { change { $0.isPersisted = newValue } }
  }
  /// Why a refresh that was due did not work; the token is valid all the same.
  public package(set) var refreshError: TesseraError? {
    get { content.parts.remarks.refreshError }
    set { change { $0.remarks.refreshError = newValue } }
  }
  /// What wants attention although the call succeeded.
  public package(set) var warnings: [String] {
    get { content.parts.remarks.warnings }
    set { change { $0.remarks.warnings = newValue } }
  }
  /// Whether it has expired, and serves only because the server is down and allows that.
  public package(set) var hasExtendedLifetime: Bool {
    get { content.parts.remarks.hasExtendedLifetime }
    set { change { $0.remarks.hasExtendedLifetime = newValue } }
  }
  /// Why it is this token, and what took how long; nil unless that was asked for.
  public package(set) var explanation: Explanation? {
    get { content.parts.remarks.explanation }
    set { change { $0.remarks.explanation = newValue } }
  }

  /// Why the browser was opened, or was not, for a person who has just signed in in one: a word in docs/interactive.md.
  public package(set) var browserReason: String? {
    get { content.parts.remarks.browserReason }
    set { change { $0.remarks.browserReason = newValue } }
  }

  /// What became of asking brokers for it; empty where none was to be asked, as for a cached token.
  public package(set) var brokers: [BrokerVisit] {
    get { content.parts.remarks.brokers }
    set { change { $0.remarks.brokers = newValue } }
  }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = content.parts
    body(&parts)
    content = Content(parts)
  }
}
