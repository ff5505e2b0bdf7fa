// SPDX-License-Identifier: MIT
// The lifetimes and rules of the local provider.

/// The lifetimes and rules of the local provider.
public struct ProviderSettings: Sendable, Equatable {
  /// The lifetime of an access token in seconds; at least one.
  public var accessTokenLifetimeSeconds: Int64 = 3600
  /// The time after which clients should refresh an access token, in seconds; nil omits `refresh_in`.
  public var refreshInSeconds: Int64?
  /// The lifetime of an access token during an outage, in seconds; nil for its normal lifetime.
  ///
  /// Entra ID only.
  public var extendedLifetimeSeconds: Int64?
  /// The `scope` of every token response; nil for the requested scopes, empty to omit it.
  public var grantedScope: String?
  /// The lifetime of a device code in seconds.
  public var deviceCodeLifetimeSeconds: Int64 = 900
  /// The lifetime of an authorization code in seconds.
  public var authorizationCodeLifetimeSeconds: Int64 = 60
  /// The registered redirect URIs of all applications.
  ///
  /// If empty, all loopback redirect URIs and custom schemes are valid.
  public var redirectURIs: [String] = []
  /// The minimum interval between two polls of a device, in seconds.
  public var intervalSeconds: Int64 = 5
  /// Whether a refresh token can be redeemed only once, and a second attempt revokes its family.
  public var rotatesRefreshTokens = true
  /// The applications that share family refresh tokens (`foci`); Entra ID only.
  public var familyClientIDs: [String] = []

  /// The accepted methods of client authentication, such as `client_secret_post`; nil for all.
  public var clientAuthenticationMethods: [String]?
  /// The authentication contexts that resources require of on-behalf-of requests, such as `c1`, by the resource.
  public var authenticationContexts: [String: String] = [:]

  /// Creates the default settings: one hour for tokens, 15 minutes for device codes, polls every five seconds,
  /// rotation.
  public init() {}

  /// Changes one setting.
  mutating func change(_ setting: ProviderSetting) {
    switch setting {
    case .accessTokenLifetime(let seconds): accessTokenLifetimeSeconds = max(seconds, 1)
    case .refreshIn(let seconds): refreshInSeconds = seconds
    case .extendedLifetime(let seconds): extendedLifetimeSeconds = seconds
    case .grantedScope(let scope): grantedScope = scope
    case .deviceCodeLifetime(let seconds): deviceCodeLifetimeSeconds = max(seconds, 1)
    case .authorizationCodeLifetime(let seconds):
      authorizationCodeLifetimeSeconds = max(seconds, 1)
    case .redirectURIs(let list): redirectURIs = list
    case .interval(let seconds): intervalSeconds = min(max(seconds, 1), 86_400)
    case .rotation(let rotates): rotatesRefreshTokens = rotates
    case .familyClients(let clientIDs): familyClientIDs = clientIDs
    case .clientAuthenticationMethods(let methods): clientAuthenticationMethods = methods
    case .authenticationContexts(let contexts): authenticationContexts = contexts
    }
  }
}

/// A change of one of the ``ProviderSettings``.
///
/// It applies to everything issued afterwards.
public enum ProviderSetting: Sendable, Equatable {
  /// The lifetime of an access token; at least one second.
  case accessTokenLifetime(seconds: Int64)
  /// The time after which clients should refresh an access token; nil omits `refresh_in`.
  case refreshIn(seconds: Int64?)
  /// The lifetime of an access token during an outage; nil for its normal lifetime.
  case extendedLifetime(seconds: Int64?)
  /// The `scope` of every token response; nil for the requested scopes, empty to omit it.
  case grantedScope(String?)
  /// The lifetime of a device code; at least one second.
  case deviceCodeLifetime(seconds: Int64)
  /// The lifetime of an authorization code; at least one second.
  case authorizationCodeLifetime(seconds: Int64)
  /// The registered redirect URIs.
  ///
  /// If empty, all loopback redirect URIs and custom schemes are valid.
  case redirectURIs([String])
  /// The minimum interval between two polls of a device; from one second to one day.
  case interval(seconds: Int64)
  /// Whether a refresh token can be redeemed only once.
  case rotation(Bool)
  /// The applications that share refresh tokens.
  case familyClients([String])
  /// The accepted methods of client authentication; nil for all.
  case clientAuthenticationMethods([String]?)
  /// The authentication contexts that resources require of on-behalf-of requests, by the resource.
  case authenticationContexts([String: String])
}
