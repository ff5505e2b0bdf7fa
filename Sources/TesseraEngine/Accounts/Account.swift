// SPDX-License-Identifier: MIT
// A signed-in account, with one profile for each tenant in which it was used.

package import TesseraWire

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

  /// The claims of the home tenant's ID token, as JSON text (MSAL: `accountClaims`).
  ///
  /// `nil` unless ``AccountsRequest/includesClaims`` was set, and for an account that was used only as a guest.
  public var claims: String? { homeClaims.map { JSONValue.object($0).serialized } }

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
  package init(
    tenantID: String, localAccountID: String, isHomeTenant: Bool, username: String?
  ) {
    self.tenantID = tenantID
    self.localAccountID = localAccountID
    self.isHomeTenant = isHomeTenant
    self.username = username
  }

  /// The claims of the tenant's ID token, as JSON text.
  ///
  /// `nil` unless ``AccountsRequest/includesClaims`` was set.
  public var claims: String? { members.map { JSONValue.object($0).serialized } }
}
