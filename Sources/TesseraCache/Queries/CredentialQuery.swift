// SPDX-License-Identifier: MIT
// The filter for cached credentials.

package import TesseraWire

/// A query for credentials of one type, with the matching rules of the unified schema.
package struct CredentialQuery: Sendable {
  /// The parts to match.
  ///
  /// A `nil` part matches any value. Access tokens match if they have all scopes of the target.
  package var parts: CredentialKeyParts
  /// Other hosts of the same cloud, which match as well.
  package var environmentAliases: [String]

  /// Creates a query for credentials of one type.
  package init(_ parts: CredentialKeyParts, environmentAliases: [String] = []) {
    self.parts = parts
    self.environmentAliases = environmentAliases
  }

  /// The scopes that an access token must have; `nil` for those in the parts.
  package var scopes: Scopes?

  private var hasOwner: Bool { parts.clientID != nil || parts.familyID != nil }

  /// Whether a credential matches.
  ///
  /// The conditions are checked in the order of MSAL for Apple.
  package func matches(_ record: CredentialRecord) -> Bool {
    guard record.type == parts.type, matchesOwner(record), matchesRealm(record),
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
    guard record.type.isAccessToken else { return true }
    guard let scopes = scopes ?? parts.target.map({ Scopes(parsing: $0) }) else { return true }
    return scopes.areSatisfied(by: record.target ?? "")
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
    return client ?? true && family ?? true
  }
}

extension CacheRecord {
  /// The members that a refresh changes in a token, and that do not affect the account list.
  private static let refreshedMembers: Set = [
    "secret", "cached_at", "expires_on", "extended_expires_on", "refresh_on",
    "last_modification_time",
  ]

  /// Whether the account list may change if this record replaces an older one or is added.
  package func changesAccountList(replacing older: CacheRecord?) -> Bool {
    switch self {
    // These records contain no account data.
    case .discovery, .throttle, .signIn, .legacySources, .foreign: false
    case .credential(let token):
      if token.type.isAccessToken {
        false
      } else if case .credential(let old)? = older, token.type == old.type {
        !token.members.isSame(as: old.members, ignoring: CacheRecord.refreshedMembers)
      } else {
        true
      }
    // The current account of a single-account application is not part of the list.
    case .accountMetadata(let metadata): metadata.homeAccountID != nil
    case .account, .appMetadata, .legacyAccount: true
    }
  }
}
