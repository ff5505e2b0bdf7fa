// SPDX-License-Identifier: MIT
// The list of accounts, merged from records.

import Synchronization
package import TesseraCache
import TesseraWire

/// Builds lists of accounts from a snapshot.
package enum AccountList {
  /// Returns the accounts with tokens that an application can use, in a stable order.
  ///
  /// An account is listed if the application or its family has a refresh token for it. The sign-in state that the
  /// application recorded takes precedence (MSAL for Apple). If a provider issues no refresh tokens, the application's ID
  /// token is sufficient.
  package static func usable(by clientID: String, _ snapshot: CacheSnapshot) -> [Account] {
    let states = snapshot.signInStates(of: clientID)
    let families = ApplicationFamilies(of: clientID, in: snapshot)
    var signedIn: Set<AccountKey> = []
    for token in snapshot.credentials where token.serves(clientID, families) {
      signedIn.insert(AccountKey(token.homeAccountID, token.environment))
    }
    let accounts = merged(
      snapshot.accounts.filter { record in
        // A subject of another provider may equal the identifier of an Entra account.
        switch record.isEntra ? states[record.homeAccountID] : nil {
        case .signedIn: true
        case .signedOut: false
        default: signedIn.contains(AccountKey(record.homeAccountID, record.environment))
        }
      })
    return LegacyAccounts(clientID: clientID, families: families, states: states)
      .merged(accounts, snapshot)
  }

  /// Returns all accounts of a snapshot, including those of other applications.
  static func all(_ snapshot: CacheSnapshot) -> [Account] {
    LegacyAccounts().merged(merged(snapshot.accounts), snapshot)
  }

  /// Merges the records of all tenants into one account for each user.
  package static func merged(_ records: [AccountRecord]) -> [Account] {
    if let record = records.first, records.count == 1 {
      let accountKey = AccountKey(record.homeAccountID, record.environment)
      return [Account(AccountPage([entry(accountKey, record, [])]), 0)]
    }
    let sorted = records.map { record in
      (accountKey: AccountKey(record.homeAccountID, record.environment), record: record)
    }.sorted { $0.accountKey.precedes($1.accountKey) }
    var entries: [AccountPage.Entry] = []
    entries.reserveCapacity(sorted.count)
    var next = 0
    while next < sorted.count {
      let accountKey = sorted[next].accountKey
      let end = sorted[next...].firstIndex { $0.accountKey != accountKey } ?? sorted.count
      entries.append(entry(accountKey, sorted[next].record, sorted[(next + 1)..<end].map(\.record)))
      next = end
    }
    // The displayed host may differ from the sort key, because a cloud has several hosts.
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy {
      $0.homeAccountID != $1.homeAccountID || $0.environment.bytesPrecede($1.environment)
    }
    return AccountPage.accounts(of: isInOrder ? entries : entries.sorted(by: precedes))
  }

  /// Whether an account precedes another one in a list.
  static func precedes(_ one: Account, _ other: Account) -> Bool {
    precedes(one.entry, other.entry)
  }

  private static func precedes(_ one: AccountPage.Entry, _ other: AccountPage.Entry) -> Bool {
    one.homeAccountID == other.homeAccountID
      ? one.environment.bytesPrecede(other.environment)
      : one.homeAccountID.bytesPrecede(other.homeAccountID)
  }

  /// Merges the records of one user into the contents of an account.
  private static func entry(
    _ accountKey: AccountKey, _ record: AccountRecord, _ others: [AccountRecord]
  ) -> AccountPage.Entry {
    let records = [record] + others
    // Nearly every account has one record only.
    let tenants = others.isEmpty ? records : oneForEachTenant(records, accountKey)
    let sorted =
      others.isEmpty
      ? records
      : tenants.sorted { left, right in
        left.isHome == right.isHome ? left.realm < right.realm : left.isHome
      }
    let first = sorted.first ?? record
    return AccountPage.Entry(
      homeAccountID: accountKey.homeAccountID,
      environment: (tenants.first ?? record).environment, username: first.username,
      name: first.name,
      tenantProfiles: sorted.map { record in
        TenantProfile(
          tenantID: record.realm, localAccountID: record.localAccountID ?? record.homeAccountID,
          isHomeTenant: record.isHome, username: record.username)
      }, isEntra: records.contains(where: \.isEntra))
  }

  /// Selects one record for each tenant.
  ///
  /// Of the records under several hosts of a cloud, the preferred cache host wins.
  private static func oneForEachTenant(
    _ records: [AccountRecord], _ accountKey: AccountKey
  ) -> [AccountRecord] {
    var seen: Set<ExactString> = []
    return records.sorted { left, right in
      left.rank(accountKey) == right.rank(accountKey)
        ? left.environment < right.environment : left.rank(accountKey) < right.rank(accountKey)
    }.filter { seen.insert($0.realm.normalised).inserted }
  }
}

extension AccountList {
  /// Returns the other clouds in a snapshot.
  ///
  /// Their family IDs are read separately.
  static func otherClouds(in snapshot: CacheSnapshot, own: CloudInstance?) -> [CloudInstance] {
    let hosts = Set(snapshot.accounts.map { AccountKey.environment($0.environment) })
    return hosts.sorted().compactMap { CloudTable.cloud(of: $0) }.filter { cloud in
      own.map { !$0.aliases.contains(cloud.preferredCache) } ?? true
    }
  }

  /// Returns the accounts with the claims of an application's ID tokens.
  static func withClaims(
    _ accounts: [Account], of clientID: String, _ snapshot: CacheSnapshot
  ) -> [Account] {
    var claims: [AccountKey: [ExactString: JSONObject]] = [:]
    for token in snapshot.credentials
    where token.type == .idToken && token.clientID.normalised == clientID.normalised {
      let accountKey = AccountKey(token.homeAccountID, token.environment)
      claims[accountKey, default: [:]][(token.realm ?? "").normalised] =
        (try? JSONWebToken(token.secret))?.claims
    }
    return accounts.map { account in
      let own = claims[AccountKey(account.homeAccountID, account.environment)] ?? [:]
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
  /// Whether it is the record of the home tenant, which is the second part of the home account ID.
  package var isHome: Bool {
    realm.isEmpty || homeAccountID.normalised.hasSuffix("." + realm.normalised)
  }

  /// Whether it is an Entra account: only Entra sends `client_info`.
  package var isEntra: Bool {
    clientInfo != nil || CloudTable.preferredCaches[environment] != nil
  }

  fileprivate func rank(_ accountKey: AccountKey) -> Int {
    environment == accountKey.environment ? 0 : 1
  }
}

extension CredentialRecord {
  /// Whether an application can use the token for silent requests.
  fileprivate func serves(_ clientID: String, _ families: ApplicationFamilies) -> Bool {
    guard clientID.normalised != self.clientID.normalised else {
      return type == .refreshToken || type == .idToken
    }
    guard type == .refreshToken, let familyID else { return false }
    return families.family(in: environment)?.normalised == familyID.normalised
  }
}

/// A group of consecutive accounts of a list.
final class AccountPage: Sendable {
  /// The contents of an account.
  struct Entry: Sendable, Hashable {
    let homeAccountID: String
    let environment: String
    let username: String?
    let name: String?
    let tenantProfiles: [TenantProfile]
    let isEntra: Bool
  }

  /// A range of accounts on a page.
  struct PageSlice {
    let page: AccountPage
    let range: Range<Int>
  }

  /// The initial number of accounts on a page.
  ///
  /// A page with more than twice as many is split.
  static let size = 32

  let entries: [Entry]
  private let serialized = AtomicLazyReference<AccountDocuments>()

  /// Creates a page of accounts.
  init(_ entries: [Entry]) { self.entries = entries }

  /// Creates a page from parts of other pages.
  ///
  /// JSON that was already serialized for them is reused.
  init(_ slices: [PageSlice]) {
    entries = slices.flatMap { $0.page.entries[$0.range] }
    guard slices.contains(where: { $0.page.serialized.load() != nil }) else { return }
    var documents = AccountDocuments.Buffer()
    for stretch in slices { documents.append(stretch.page.documents, stretch.range) }
    _ = serialized.storeIfNil(AccountDocuments(documents))
  }

  /// The accounts of the page.
  var accounts: [Account] { entries.indices.map { Account(self, $0) } }

  /// The serialized accounts of the page.
  var documents: AccountDocuments {
    serialized.load() ?? serialized.storeIfNil(AccountDocuments(accounts))
  }
}

extension AccountPage {
  /// Returns accounts that are distributed over pages.
  static func accounts(of entries: [Entry]) -> [Account] {
    pages(of: entries).flatMap(\.accounts)
  }

  private static func pages(of entries: [Entry]) -> [AccountPage] {
    stride(from: 0, to: entries.count, by: size).map { start in
      AccountPage(Array(entries[start..<min(start + size, entries.count)]))
    }
  }

  /// Returns the existing pages of accounts if they contain no others; otherwise creates new pages.
  static func pages(of accounts: [Account]) -> [AccountPage] {
    var pages: [AccountPage] = []
    var next = 0
    while next < accounts.count {
      let page = accounts[next].page
      let end = next + page.entries.count
      guard end <= accounts.count,
        accounts[next..<end].enumerated().allSatisfy({ $1.page === page && $1.index == $0 })
      else { return self.pages(of: accounts.map(\.entry)) }
      pages.append(page)
      next = end
    }
    return pages
  }

  /// Returns the page of some ranges: none if they are empty, two if they exceed the size of one page.
  static func pages(of slices: [PageSlice]) -> [AccountPage] {
    let page = AccountPage(slices)
    let count = page.entries.count
    guard count > 2 * size else { return count == 0 ? [] : [page] }
    return [0..<count / 2, count / 2..<count].map {
      AccountPage([PageSlice(page: page, range: $0)])
    }
  }
}
