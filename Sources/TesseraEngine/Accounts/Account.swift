// SPDX-License-Identifier: MIT
// A signed-in account, with one profile for each tenant in which it was used.

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
