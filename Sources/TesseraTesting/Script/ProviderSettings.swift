// SPDX-License-Identifier: MIT
// How long things live at the local provider, and which rules it follows.

/// How long things live at the local provider, and which rules it follows.
public struct ProviderSettings: Sendable, Equatable {
  /// How long an access token lives, in seconds; at least one.
  public var accessTokenLifetimeSeconds: Int64 = 3600
  /// After how many seconds the provider wants an access token refreshed; nil to say nothing about it.
  public var refreshInSeconds: Int64?
  /// Until when an access token may serve during an outage, in seconds; nil for as long as it lives.
  ///
  /// Entra face only.
  public var extendedLifetimeSeconds: Int64?
  /// The `scope` of every answer; nil for what was asked for, empty to leave it out.
  public var grantedScope: String?
  /// How long a device code lives, in seconds.
  public var deviceCodeLifetimeSeconds: Int64 = 900
  /// How long an authorization code lives, in seconds.
  public var authorizationCodeLifetimeSeconds: Int64 = 60
  /// The redirect URIs that are registered, for every application; with none, every one that is a program's own serves.
  public var redirectURIs: [String] = []
  /// How many seconds a device has to wait between two polls.
  public var intervalSeconds: Int64 = 5
  /// Whether a refresh token works once only, and a second use revokes its family.
  public var rotatesRefreshTokens = true
  /// The applications that share refresh tokens as Microsoft's own do (`foci`); Entra face only.
  public var familyClientIDs: [String] = []

  /// The settings of a new provider: tokens for an hour, codes for a quarter, polls every five seconds, rotation.
  public init() {}

  /// These settings with one of them changed.
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
    }
  }
}

/// A change of one of the ``ProviderSettings``; it holds for what is issued from then on.
public enum ProviderSetting: Sendable, Equatable {
  /// How long an access token lives; at least one second.
  case accessTokenLifetime(seconds: Int64)
  /// After how many seconds an access token should be refreshed; nil to say nothing about it.
  case refreshIn(seconds: Int64?)
  /// Until when an access token may serve during an outage; nil for as long as it lives.
  case extendedLifetime(seconds: Int64?)
  /// The `scope` of every answer; nil for what was asked for, empty to leave it out.
  case grantedScope(String?)
  /// How long a device code lives; at least one second.
  case deviceCodeLifetime(seconds: Int64)
  /// How long an authorization code lives; at least one second.
  case authorizationCodeLifetime(seconds: Int64)
  /// The redirect URIs that are registered; none lets every one serve that is a program's own.
  case redirectURIs([String])
  /// How long a device has to wait between two polls; at least one second, at most a day.
  case interval(seconds: Int64)
  /// Whether a refresh token works once only.
  case rotation(Bool)
  /// The applications that share refresh tokens.
  case familyClients([String])
}
