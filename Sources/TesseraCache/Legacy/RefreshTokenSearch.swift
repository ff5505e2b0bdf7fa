// SPDX-License-Identifier: MIT
// A refresh token from the unified cache, or from ADAL's if that has none.

import TesseraWire

/// A search for a person's refresh token in both caches.
package struct RefreshTokenSearch: Sendable {
  /// Where a refresh token came from.
  package enum Found: Sendable, Equatable {
    case unified(CredentialRecord)
    case legacy(LegacyItem)
  }

  /// What is searched for in ADAL's cache; the same in the unified one.
  package var person: LegacySearch

  package init(_ person: LegacySearch) {
    self.person = person
  }

  /// The token: by the home account id, then by the one that a username has, then as ADAL knows the person.
  ///
  /// - Returns: nil also if nobody was named and ADAL's cache has several people.
  package func token(_ snapshot: CacheSnapshot, _ items: [LegacyItem]) -> Found? {
    if let home = person.homeAccountID?.nonBlank, let token = unified(home, snapshot) {
      return .unified(token)
    }
    let record = snapshot.accounts.first { record in
      person.username?.nonBlank != nil
        && record.username?.normalised == person.username?.normalised
        && isAsked(record.environment)
    }
    if let record, let token = unified(record.homeAccountID, snapshot) { return .unified(token) }
    guard case .found(let item) = person.refreshToken(in: items) else { return nil }
    return .legacy(item)
  }

  private func unified(_ homeAccountID: String, _ snapshot: CacheSnapshot) -> CredentialRecord? {
    var query = CredentialQuery(
      CredentialKeyParts(type: .refreshToken), environmentAliases: person.environments)
    query.parts.homeAccountID = homeAccountID
    query.parts.familyID = person.familyID
    query.parts.clientID = person.familyID == nil ? person.clientID : nil
    return snapshot.credentials.first { token in
      query.matches(token) && (person.familyID != nil || token.familyID == nil)
    }
  }

  private func isAsked(_ environment: String) -> Bool {
    person.environments.isEmpty
      || person.environments.contains { $0.normalised == environment.normalised }
  }
}
