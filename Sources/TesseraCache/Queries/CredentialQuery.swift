// SPDX-License-Identifier: MIT
// Credential lookup: the key attributes that narrow a search, and the filter for the other parts.

import TesseraWire

/// A query for credentials, with the matching rules of the unified schema.
package struct CredentialQuery: Sendable {
  /// The comparison of the scopes of access tokens.
  package enum TargetMatch: Sendable {
    case exact, subset, intersect, any
  }

  /// The comparison of client ID and family ID.
  package enum ClientMatch: Sendable {
    /// Both must match, if given.
    case exact
    /// Either one must match.
    case superset
  }

  /// The parts to match.
  ///
  /// A `nil` part matches any value.
  package var parts: CredentialKeyParts
  /// Whether credentials of every type match.
  package var matchesAnyType: Bool
  /// Other hosts of the same cloud, which match as well.
  package var environmentAliases: [String]
  package var targetMatch: TargetMatch
  package var clientMatch: ClientMatch

  /// Creates a query for credentials of one type.
  package init(
    _ parts: CredentialKeyParts, matchesAnyType: Bool = false, environmentAliases: [String] = [],
    targetMatch: TargetMatch = .exact, clientMatch: ClientMatch = .exact
  ) {
    self.parts = parts
    self.matchesAnyType = matchesAnyType
    self.environmentAliases = environmentAliases
    self.targetMatch = targetMatch
    self.clientMatch = clientMatch
  }

  /// The account attribute, or `nil` unless both home account ID and environment are given.
  package var account: String? { parts.account }

  /// The service attribute, or `nil` unless all of its parts are given.
  package var service: String? {
    guard !matchesAnyType, hasOwner else { return nil }
    switch parts.type {
    case .accessToken, .accessTokenWithAuthScheme:
      guard parts.realm != nil, parts.target != nil, targetMatch == .exact else { return nil }
    case .idToken, .v1IDToken:
      guard parts.clientID != nil, parts.realm != nil else { return nil }
    default: break
    }
    return parts.service
  }

  /// The generic attribute, which narrows a search, or `nil` unless all of its parts are given.
  package var generic: String? {
    guard !matchesAnyType, hasOwner, parts.type.isRefreshToken || parts.realm != nil else {
      return nil
    }
    return parts.generic
  }

  /// The type attribute, or `nil` for any type.
  package var typeNumber: Int? { matchesAnyType ? nil : parts.type.number }

  private var hasOwner: Bool { parts.clientID != nil || parts.familyID != nil }
}

extension CredentialQuery {
  /// Whether a credential matches.
  ///
  /// The conditions are checked in the order of MSAL for Apple.
  package func matches(_ record: CredentialRecord) -> Bool {
    guard matchesAnyType || record.type == parts.type, matchesOwner(record), matchesRealm(record),
      matchesTarget(record)
    else { return false }
    guard hasOwner else { return true }
    return matchesClaims(record) && matchesClient(record) && matchesPartition(record)
  }

  private func matchesOwner(_ record: CredentialRecord) -> Bool {
    if let home = parts.homeAccountID, home.normalised != record.homeAccountID.normalised {
      return false
    }
    guard parts.environment != nil || !environmentAliases.isEmpty else { return true }
    let environment = record.environment.normalised
    return parts.environment?.normalised == environment
      || environmentAliases.contains { $0.normalised == environment }
  }

  private func matchesRealm(_ record: CredentialRecord) -> Bool {
    guard let realm = parts.realm, !parts.type.isRefreshToken else { return true }
    return realm.normalised == (record.realm ?? "").normalised
  }

  private func matchesTarget(_ record: CredentialRecord) -> Bool {
    guard record.type.isAccessToken, let target = parts.target else { return true }
    let requested = Scopes(parsing: target)
    return switch targetMatch {
    case .exact: target.normalised == (record.target ?? "").normalised
    case .subset: record.scopes.satisfy(requested)
    case .intersect: record.scopes.intersects(requested)
    case .any: true
    }
  }

  private func matchesClaims(_ record: CredentialRecord) -> Bool {
    parts.requestedClaims?.nonBlank == record.requestedClaims?.nonBlank
  }

  /// Compares the cache partition of an access token (on Apple platforms, tokens of managed users are partitioned).
  private func matchesPartition(_ record: CredentialRecord) -> Bool {
    guard record.type.isAccessToken else { return true }
    return parts.applicationIdentifier?.nonBlank?.normalised
      == record.applicationIdentifier?.nonBlank?.normalised
  }

  private func matchesClient(_ record: CredentialRecord) -> Bool {
    let client = parts.clientID.map { $0.normalised == record.clientID.normalised }
    let family = parts.familyID.map { $0.normalised == (record.familyID ?? "").normalised }
    return switch clientMatch {
    case .exact: client ?? true && family ?? true
    case .superset: client ?? false || family ?? false
    }
  }
}
