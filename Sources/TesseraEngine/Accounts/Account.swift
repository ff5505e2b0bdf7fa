// SPDX-License-Identifier: MIT
// An account: a person as the cache knows them, with a profile for each tenant they were seen in.

package import TesseraWire

/// A person who has signed in.
///
/// Accounts of one list share their content in pages, so that copying very many of them touches few references.
public struct Account: Sendable, Hashable {
  /// Where it lies, with others.
  let page: AccountPage
  /// Its place there.
  let index: Int

  /// What stays the same across tenants; pass it to later calls (MSAL: `identifier`).
  ///
  /// At Entra `<object id>.<tenant id>` in lower case; elsewhere the subject, as the provider spells it. Empty for a person
  /// whom only the cache of an older library has, until their first token: until then they go by ``username``.
  public var homeAccountID: String { entry.homeAccountID }
  /// The host of the cloud, or the issuer without `https://` for plain OpenID Connect.
  public var environment: String { entry.environment }
  /// The name the person signs in with; for display and search, it may change.
  public var username: String? { entry.username }
  /// The person's name, for display.
  public var name: String? { entry.name }
  /// The tenants in which this person was seen, home tenant first.
  public var tenantProfiles: [TenantProfile] { entry.tenantProfiles }
  /// Whether it is an account of Entra, whose identifiers have no case.
  package var isEntra: Bool { entry.isEntra }

  /// What it says.
  var entry: AccountPage.Entry { page.entries[index] }

  /// An account at its place.
  init(_ page: AccountPage, _ index: Int) {
    self.page = page
    self.index = index
  }

  /// An account with its parts.
  package init(
    homeAccountID: String, environment: String, username: String?, name: String?,
    tenantProfiles: [TenantProfile], isEntra: Bool
  ) {
    let entry = AccountPage.Entry(
      homeAccountID: homeAccountID, environment: environment, username: username, name: name,
      tenantProfiles: tenantProfiles, isEntra: isEntra)
    self.init(AccountPage([entry]), 0)
  }

  /// Whether two accounts say the same.
  public static func == (left: Account, right: Account) -> Bool {
    left.page === right.page && left.index == right.index || left.entry == right.entry
  }

  /// Adds what it says to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entry)
  }

  /// The claims of the home tenant's ID token, as JSON text (MSAL: `accountClaims`).
  ///
  /// Nil unless ``AccountsRequest/includesClaims`` asked for them, and for a person who was seen as a guest only.
  public var claims: String? { homeClaims.map { JSONValue.object($0).serialized } }

  /// The claims of the home tenant's ID token.
  package var homeClaims: JSONObject? { tenantProfiles.first { $0.isHomeTenant }?.members }
}

/// A person in one tenant.
public struct TenantProfile: Sendable, Hashable {
  /// The tenant; empty for a provider without tenants.
  public let tenantID: String
  /// The person's identifier in that tenant.
  public let localAccountID: String
  /// Whether it is the person's own tenant, as opposed to one where they are a guest.
  public let isHomeTenant: Bool
  /// The name the person has in that tenant, as of the last sign-in there.
  public let username: String?
  /// The claims of that tenant's ID token.
  package var members: JSONObject?

  /// A profile with its parts.
  package init(
    tenantID: String, localAccountID: String, isHomeTenant: Bool, username: String?
  ) {
    self.tenantID = tenantID
    self.localAccountID = localAccountID
    self.isHomeTenant = isHomeTenant
    self.username = username
  }

  /// The claims of that tenant's ID token, as JSON text.
  ///
  /// Nil unless ``AccountsRequest/includesClaims`` asked for them.
  public var claims: String? { members.map { JSONValue.object($0).serialized } }
}
