// SPDX-License-Identifier: MIT
// From records to accounts: which ones an application can use, one entry a person.

package import TesseraCache
import TesseraWire

/// The accounts in a snapshot.
package enum AccountList {
  /// The accounts for which there is a sign-in that an application can use, in a stable order.
  ///
  /// An account counts when the application, or its family, has a refresh token for it; what the application
  /// remembers of signing in and out overrides that (MSAL for Apple). A provider that gives no refresh tokens is known
  /// by its ID token.
  package static func usable(by clientID: String, _ snapshot: CacheSnapshot) -> [Account] {
    let states = snapshot.signInStates(of: clientID)
    var query = CredentialQuery(CredentialKeyParts(type: .refreshToken), clientMatch: .superset)
    query.parts.clientID = clientID
    query.parts.familyID = snapshot.familyID(of: clientID)
    var signedIn: Set<String> = []
    for token in snapshot.credentials
    where query.matches(token)
      || token.type == .idToken && token.clientID.normalised == clientID.normalised
    {
      signedIn.insert(name(token.homeAccountID, token.environment))
    }
    return merged(
      snapshot.accounts.filter { record in
        switch states[record.homeAccountID] {
        case .signedIn: true
        case .signedOut: false
        default: signedIn.contains(name(record.homeAccountID, record.environment))
        }
      })
  }

  /// One account for each person, from the records of all tenants they were seen in.
  package static func merged(_ records: [AccountRecord]) -> [Account] {
    var groups: [String: [AccountRecord]] = [:]
    for record in records {
      groups[name(record.homeAccountID, record.environment), default: []].append(record)
    }
    return groups.sorted { $0.key < $1.key }.compactMap { account($0.value) }
  }

  /// Whether an account comes before another one in a list.
  static func precedes(_ one: Account, _ other: Account) -> Bool {
    name(one.homeAccountID, one.environment) < name(other.homeAccountID, other.environment)
  }

  private static func account(_ records: [AccountRecord]) -> Account? {
    let sorted = records.sorted { left, right in
      let leftIsHome = isHome(left)
      return leftIsHome == isHome(right) ? left.realm < right.realm : leftIsHome
    }
    guard let first = sorted.first else { return nil }
    return Account(
      homeAccountID: first.homeAccountID, environment: first.environment,
      username: first.username, name: first.name,
      tenantProfiles: sorted.map { record in
        TenantProfile(
          tenantID: record.realm, localAccountID: record.localAccountID ?? record.homeAccountID,
          isHomeTenant: isHome(record))
      })
  }

  /// Whether a record is of the person's own tenant: the second part of the home account id names it.
  private static func isHome(_ record: AccountRecord) -> Bool {
    record.realm.isEmpty || record.homeAccountID.hasSuffix("." + record.realm.normalised)
  }

  private static func name(_ homeAccountID: String, _ environment: String) -> String {
    homeAccountID + "\n" + environment
  }
}
