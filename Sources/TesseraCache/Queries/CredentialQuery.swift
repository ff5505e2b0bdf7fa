// SPDX-License-Identifier: MIT
// Which credentials fit: the attributes that narrow a search, and the filter for what they leave open.

import TesseraWire

/// A search for credentials, by the rules of the unified schema.
package struct CredentialQuery: Sendable {
  /// How the scopes of an access token are compared.
  package enum TargetMatch: Sendable {
    case exact, subset, intersect, any
  }

  /// How the application is compared.
  package enum ClientMatch: Sendable {
    /// The client and the family that are given must both be equal.
    case exact
    /// One of them is enough.
    case superset
  }

  /// What is searched for; parts that are nil are left open.
  package var parts: CredentialKeyParts
  /// Whether credentials of every type are searched for.
  package var matchesAnyType: Bool
  /// Other hosts of the same cloud.
  package var environmentAliases: [String]
  package var targetMatch: TargetMatch
  package var clientMatch: ClientMatch

  /// A search for credentials of one type.
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

  /// The account attribute, when home account id and environment are both given.
  package var account: String? { parts.account }

  /// The service attribute, when everything is given that it is made of.
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

  /// The generic attribute, which narrows a search.
  package var generic: String? {
    guard !matchesAnyType, hasOwner, parts.type.isRefreshToken || parts.realm != nil else {
      return nil
    }
    return parts.generic
  }

  /// The type attribute.
  package var typeNumber: Int? { matchesAnyType ? nil : parts.type.number }

  private var hasOwner: Bool { parts.clientID != nil || parts.familyID != nil }
}

extension CredentialQuery {
  /// Whether a credential fits; the order of the questions is that of MSAL for Apple.
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
    case .subset: record.scopes.serve(requested)
    case .intersect: record.scopes.intersects(requested)
    case .any: true
    }
  }

  private func matchesClaims(_ record: CredentialRecord) -> Bool {
    parts.requestedClaims?.nonBlank == record.requestedClaims?.nonBlank
  }

  /// An application may keep the access tokens of its parts apart (on Apple's systems those of managed users).
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
