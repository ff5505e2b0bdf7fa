// SPDX-License-Identifier: MIT
// The accounts of an application, and their lists.

import Synchronization
package import TesseraCache
public import TesseraWire

/// A user account that has signed in.
///
/// The accounts of a list share their contents in pages, so that copying a long list retains few objects.
public struct Account: Sendable, Hashable {
  /// The page that contains the account.
  let page: AccountPage
  /// The index of the account in its page.
  let index: Int

  /// The identifier of the account in all tenants; pass it to later calls (MSAL: `identifier`).
  ///
  /// At Entra it is `<object id>.<tenant id>` in lower case. Other providers use the subject, in their spelling. It is
  /// empty for an account imported from an older library until its first token is acquired. Until then ``username``
  /// identifies the account.
  public var homeAccountID: String { entry.homeAccountID }
  /// The host of the cloud, or the issuer without `https://` for plain OpenID Connect.
  public var environment: String { entry.environment }
  /// The user name, for display and search.
  ///
  /// It may change.
  public var username: String? { entry.username }
  /// The full name of the user, for display.
  public var name: String? { entry.name }
  /// The profiles of the account, the one of the home tenant first.
  public var tenantProfiles: [TenantProfile] { entry.tenantProfiles }
  /// Whether it is an Entra account, with case-insensitive identifiers.
  package var isEntra: Bool { entry.isEntra }

  /// The contents of the account.
  var entry: AccountPage.Entry { page.entries[index] }

  /// Creates the account at an index of a page.
  init(_ page: AccountPage, _ index: Int) {
    self.page = page
    self.index = index
  }

  /// Creates an account, such as for a test or a preview.
  ///
  /// - Parameters:
  ///   - homeAccountID: The identifier of the account in all tenants.
  ///   - environment: The host of the cloud, or the issuer without `https://`.
  ///   - username: The user name.
  ///   - name: The full name of the user.
  ///   - tenantProfiles: The profiles of the account, the one of the home tenant first.
  public init(
    homeAccountID: String, environment: String, username: String? = nil, name: String? = nil,
    tenantProfiles: [TenantProfile] = []
  ) {
    self.init(
      homeAccountID: homeAccountID, environment: environment, username: username, name: name,
      tenantProfiles: tenantProfiles, isEntra: CloudTable.cloud(of: environment) != nil)
  }

  /// Creates an account with its own page.
  package init(
    homeAccountID: String, environment: String, username: String?, name: String?,
    tenantProfiles: [TenantProfile], isEntra: Bool
  ) {
    let entry = AccountPage.Entry(
      homeAccountID: homeAccountID, environment: environment, username: username, name: name,
      tenantProfiles: tenantProfiles, isEntra: isEntra)
    self.init(AccountPage([entry]), 0)
  }

  /// Whether two accounts have the same contents.
  public static func == (left: Account, right: Account) -> Bool {
    left.page === right.page && left.index == right.index || left.entry == right.entry
  }

  /// Hashes the contents of the account.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entry)
  }

  /// The claims of the home tenant's ID token (MSAL: `accountClaims`).
  ///
  /// `nil` unless ``AccountsRequest/includesClaims`` was set, and for an account that was used only as a guest.
  public var claims: TokenClaims? { homeClaims.map(TokenClaims.init) }

  /// The claims of the home tenant's ID token.
  package var homeClaims: JSONObject? { tenantProfiles.first { $0.isHomeTenant }?.members }
}

/// An account in one tenant.
public struct TenantProfile: Sendable, Hashable {
  /// The tenant ID; empty for a provider without tenants.
  public let tenantID: String
  /// The identifier of the account in the tenant.
  public let localAccountID: String
  /// Whether it is the home tenant.
  ///
  /// In other tenants the user is a guest.
  public let isHomeTenant: Bool
  /// The user name in the tenant, as of the last sign-in there.
  public let username: String?
  /// The claims of the tenant's ID token.
  package var members: JSONObject?

  /// Creates a profile.
  public init(
    tenantID: String, localAccountID: String, isHomeTenant: Bool = true, username: String? = nil,
    claims: TokenClaims? = nil
  ) {
    self.tenantID = tenantID
    self.localAccountID = localAccountID
    self.isHomeTenant = isHomeTenant
    self.username = username
    members = claims?.members
  }

  /// The claims of the tenant's ID token.
  ///
  /// `nil` unless ``AccountsRequest/includesClaims`` was set.
  public var claims: TokenClaims? { members.map(TokenClaims.init) }
}

extension Account: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user name, or else the identifier, with the environment.
  public var description: String { "Account(\(label), \(environment))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the public properties except the claims.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "homeAccountID": homeAccountID, "environment": environment, "username": username ?? "nil",
        "name": name ?? "nil", "tenantProfiles": tenantProfiles,
      ])
  }

  /// The user name, or else the identifier.
  var label: String { username ?? homeAccountID }
}

extension TenantProfile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The tenant and the user name in it.
  public var description: String {
    "TenantProfile(\(tenantID), \(username ?? localAccountID))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the public properties except the claims.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "tenantID": tenantID, "localAccountID": localAccountID, "isHomeTenant": isHomeTenant,
        "username": username ?? "nil",
      ])
  }
}

extension CacheChange.SignOut {
  /// Creates the removal of an account from one application, or from all applications if `clientID` is `nil`.
  init(of account: Account, at clientID: String?, legacyNames: Set<ExactString>) {
    self.init(
      homeAccountID: account.homeAccountID, clientID: clientID,
      environments: account.storedEnvironments, isEntra: account.isEntra)
    self.legacyNames = legacyNames
    legacyIdentity = account.legacyIdentity
    legacyObjectIDs = account.objectIDs
  }
}

extension Account {
  /// The normalized user names of the account in all tenants.
  var usernames: [String] {
    ([username] + tenantProfiles.map(\.username)).compactMap { $0?.normalised }
  }

  /// The hosts under which records of the account are stored.
  package var storedEnvironments: [String] {
    let cloud = CloudTable.cloud(of: environment)
    return cloud.map { $0.aliases + [$0.preferredCache] } ?? [environment]
  }

  /// The key that distinguishes accounts without an identifier that have the same name; `nil` if there is none.
  var legacyIdentity: String? {
    guard homeAccountID.isEmpty, let profile = tenantProfiles.first else { return nil }
    return "\(profile.localAccountID).\(profile.tenantID)".normalised
  }
}

/// The key of an account: its identifier and its cloud or issuer.
package struct AccountKey: Hashable {
  package let homeAccountID: String
  package let environment: String

  /// Creates the key of a record.
  ///
  /// All host aliases of a cloud yield the same key.
  package init(_ homeAccountID: String, _ environment: String) {
    self.homeAccountID = homeAccountID
    self.environment = CloudTable.preferredCaches[environment] ?? environment
  }

  /// Whether the key precedes another one in a list.
  func precedes(_ other: AccountKey) -> Bool {
    homeAccountID == other.homeAccountID
      ? environment.bytesPrecede(other.environment)
      : homeAccountID.bytesPrecede(other.homeAccountID)
  }

  /// Whether two environments are equal.
  ///
  /// Hosts of one built-in cloud are; issuers are compared exactly.
  package static func isSameCloud(_ left: String, _ right: String) -> Bool {
    left == right || environment(left) == environment(right)
  }

  /// Returns the environment under which the records of a cloud are stored.
  package static func environment(_ environment: String) -> String {
    CloudTable.preferredCaches[environment.normalised] ?? environment
  }
}

/// The current and the previous account of a single-account application (MSAL for Apple: single-account mode).
public struct CurrentAccount: Sendable, Hashable {
  /// The only signed-in account; `nil` if there is none.
  public let account: Account?
  /// The account at the previous call; `nil` if there was none.
  ///
  /// If it differs from ``account``, the application must delete the data that it keeps for the previous user. If the
  /// account was removed, only its identifier, environment and user name are set.
  public let previousAccount: Account?

  /// Creates the result of ``PublicClientApplication/currentAccount(timeout:cancellation:)``.
  public init(account: Account? = nil, previousAccount: Account? = nil) {
    self.account = account
    self.previousAccount = previousAccount
  }
}

/// The serialized JSON of some accounts, each followed by a comma.
final class AccountDocuments: Sendable {
  /// A buffer to which serialized accounts are appended.
  struct Buffer {
    fileprivate var bytes: [UInt8] = []
    fileprivate var ends: [Int] = []

    /// Serializes an account and appends it.
    mutating func append(_ account: Account) {
      bytes += account.json.bytes
      bytes.append(UInt8(ascii: ","))
      ends.append(bytes.count)
    }

    /// Appends accounts that were serialized before.
    mutating func append(_ other: AccountDocuments, _ range: Range<Int>) {
      guard !range.isEmpty else { return }
      let start = range.lowerBound == 0 ? 0 : other.ends[range.lowerBound - 1]
      let shift = bytes.count - start
      bytes += other.bytes[start..<other.ends[range.upperBound - 1]]
      ends += other.ends[range].map { $0 + shift }
    }
  }

  let bytes: [UInt8]
  /// The end offset of each account in `bytes`.
  private let ends: [Int]

  /// Creates a value from a buffer.
  init(_ draft: Buffer) { (bytes, ends) = (draft.bytes, draft.ends) }

  /// Serializes accounts.
  convenience init(_ accounts: [Account]) {
    var draft = Buffer()
    for account in accounts { draft.append(account) }
    self.init(draft)
  }
}

/// The token family of an application in each cloud.
///
/// The application may redeem refresh tokens of its family.
package struct ApplicationFamilies {
  /// The family ID by environment.
  ///
  /// The value is `nil` if the server reported that the application has no family.
  private var known: [ExactString: String?] = [:]

  /// Reads the families of an application from the app metadata in a snapshot.
  package init(of clientID: String, in snapshot: CacheSnapshot) {
    for record in snapshot.appMetadata where record.clientID.normalised == clientID.normalised {
      known.updateValue(
        record.familyID.nonBlank,
        forKey: ExactString(AccountKey.environment(record.environment)))
    }
  }

  /// Creates a value without app metadata.
  init() {}

  /// Returns the application's family in the cloud of an environment; `nil` for none.
  ///
  /// Without app metadata, the application may be in family 1, the only existing one (MSAL for Apple).
  package func family(in environment: String) -> String? {
    known[AccountKey.environment(environment)] ?? "1"
  }
}

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
