// SPDX-License-Identifier: MIT
// Accounts and their lists.

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
