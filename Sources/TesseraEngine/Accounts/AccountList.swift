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
    let families = ApplicationFamilies(of: clientID, in: snapshot)
    var signedIn: Set<AccountPerson> = []
    for token in snapshot.credentials where token.serves(clientID, families) {
      signedIn.insert(AccountPerson(token.homeAccountID, token.environment))
    }
    let accounts = merged(
      snapshot.accounts.filter { record in
        // A subject of another provider may be the same text as an identifier of Entra that has signed in or out.
        switch record.isEntra ? states[record.homeAccountID] : nil {
        case .signedIn: true
        case .signedOut: false
        default: signedIn.contains(AccountPerson(record.homeAccountID, record.environment))
        }
      })
    return LegacyAccounts(clientID: clientID, families: families, states: states)
      .beside(accounts, snapshot)
  }

  /// All accounts of a snapshot, whoever can use them.
  static func all(_ snapshot: CacheSnapshot) -> [Account] {
    LegacyAccounts().beside(merged(snapshot.accounts), snapshot)
  }

  /// One account for each person, from the records of all tenants they were seen in.
  package static func merged(_ records: [AccountRecord]) -> [Account] {
    let sorted = records.map { record in
      (person: AccountPerson(record.homeAccountID, record.environment), record: record)
    }.sorted { $0.person.precedes($1.person) }
    var entries: [AccountPage.Entry] = []
    entries.reserveCapacity(sorted.count)
    var next = 0
    while next < sorted.count {
      let person = sorted[next].person
      let end = sorted[next...].firstIndex { $0.person != person } ?? sorted.count
      entries.append(entry(person, sorted[next].record, sorted[(next + 1)..<end].map(\.record)))
      next = end
    }
    // By the hosts that are shown, which may be others of their clouds.
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy {
      $0.homeAccountID != $1.homeAccountID || $0.environment < $1.environment
    }
    return AccountPage.accounts(of: isInOrder ? entries : entries.sorted(by: precedes))
  }

  /// Whether an account comes before another one in a list.
  static func precedes(_ one: Account, _ other: Account) -> Bool {
    precedes(one.entry, other.entry)
  }

  private static func precedes(_ one: AccountPage.Entry, _ other: AccountPage.Entry) -> Bool {
    (one.homeAccountID, one.environment) < (other.homeAccountID, other.environment)
  }

  /// What is to be said of a person, by one record and perhaps others.
  private static func entry(
    _ person: AccountPerson, _ record: AccountRecord, _ others: [AccountRecord]
  ) -> AccountPage.Entry {
    let records = [record] + others
    // Nearly everybody has one record only.
    let tenants = others.isEmpty ? records : oneForEachTenant(records, person)
    let sorted =
      others.isEmpty
      ? records
      : tenants.sorted { left, right in
        left.isHome == right.isHome ? left.realm < right.realm : left.isHome
      }
    let first = sorted.first ?? record
    return AccountPage.Entry(
      homeAccountID: person.homeAccountID,
      environment: (tenants.first ?? record).environment, username: first.username,
      name: first.name,
      tenantProfiles: sorted.map { record in
        TenantProfile(
          tenantID: record.realm, localAccountID: record.localAccountID ?? record.homeAccountID,
          isHomeTenant: record.isHome, username: record.username)
      }, isEntra: records.contains(where: \.isEntra))
  }

  /// One record a tenant: of those under several hosts of a cloud, the one that is written today.
  private static func oneForEachTenant(
    _ records: [AccountRecord], _ person: AccountPerson
  ) -> [AccountRecord] {
    var seen: Set<String> = []
    return records.sorted { left, right in
      left.rank(person) == right.rank(person)
        ? left.environment < right.environment : left.rank(person) < right.rank(person)
    }.filter { seen.insert($0.realm.normalised).inserted }
  }
}

extension AccountList {
  /// The environments of other clouds in a snapshot, whose families are asked for by themselves.
  static func foreignClouds(in snapshot: CacheSnapshot, own: CloudInstance?) -> [CloudInstance] {
    let hosts = Set(snapshot.accounts.map { AccountPerson.environment($0.environment) })
    return hosts.sorted().compactMap { CloudTable.cloud(of: $0) }.filter { cloud in
      own.map { !$0.aliases.contains(cloud.preferredCache) } ?? true
    }
  }

  /// The accounts with the claims of an application's ID tokens.
  static func withClaims(
    _ accounts: [Account], of clientID: String, _ snapshot: CacheSnapshot
  ) -> [Account] {
    var claims: [AccountPerson: [String: JSONObject]] = [:]
    for token in snapshot.credentials
    where token.type == .idToken && token.clientID.normalised == clientID.normalised {
      let person = AccountPerson(token.homeAccountID, token.environment)
      claims[person, default: [:]][(token.realm ?? "").normalised] =
        (try? JSONWebToken(token.secret))?.claims
    }
    return accounts.map { account in
      let own = claims[AccountPerson(account.homeAccountID, account.environment)] ?? [:]
      let profiles = account.tenantProfiles.map { profile in
        var profile = profile
        profile.members = own[profile.tenantID.normalised]
        return profile
      }
      return Account(
        homeAccountID: account.homeAccountID, environment: account.environment,
        username: account.username, name: account.name, tenantProfiles: profiles,
        isEntra: account.isEntra)
    }
  }
}

extension AccountRecord {
  /// Whether it is of the person's own tenant: the second part of the home account id names it.
  var isHome: Bool {
    realm.isEmpty || homeAccountID.normalised.hasSuffix("." + realm.normalised)
  }

  /// Whether it came from Entra: only Entra sends `client_info`.
  package var isEntra: Bool {
    clientInfo != nil || CloudTable.preferredCaches[environment] != nil
  }

  fileprivate func rank(_ person: AccountPerson) -> Int {
    environment == person.environment ? 0 : 1
  }
}

extension CredentialRecord {
  /// Whether an application can use it to sign in.
  fileprivate func serves(_ clientID: String, _ families: ApplicationFamilies) -> Bool {
    guard clientID.normalised != self.clientID.normalised else {
      return type == .refreshToken || type == .idToken
    }
    guard type == .refreshToken, let familyID else { return false }
    return families.family(in: environment)?.normalised == familyID.normalised
  }
}
