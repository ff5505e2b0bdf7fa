// SPDX-License-Identifier: MIT
// An account: a person as the cache knows them, with a profile for each tenant they were seen in.

/// A person who has signed in.
public struct Account: Sendable, Hashable {
  /// What stays the same across tenants; pass it to later calls (MSAL: `identifier`).
  ///
  /// At Entra `<object id>.<tenant id>` in lower case; elsewhere the subject, as the provider spells it.
  public let homeAccountID: String
  /// The host of the cloud, or the issuer without its scheme for plain OpenID Connect.
  public let environment: String
  /// The name the person signs in with; for display and search, it may change.
  public let username: String?
  /// The person's name, for display.
  public let name: String?
  /// The tenants in which this person was seen, home tenant first.
  public let tenantProfiles: [TenantProfile]

  /// An account with its parts.
  package init(
    homeAccountID: String, environment: String, username: String?, name: String?,
    tenantProfiles: [TenantProfile]
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.username = username
    self.name = name
    self.tenantProfiles = tenantProfiles
  }
}

/// A person in one tenant.
public struct TenantProfile: Sendable, Hashable {
  /// The tenant; empty for a provider without tenants.
  public let tenantID: String
  /// The person's identifier in that tenant.
  public let localAccountID: String
  /// Whether it is the person's own tenant, as opposed to one where they are a guest.
  public let isHomeTenant: Bool

  /// A profile with its parts.
  package init(tenantID: String, localAccountID: String, isHomeTenant: Bool) {
    self.tenantID = tenantID
    self.localAccountID = localAccountID
    self.isHomeTenant = isHomeTenant
  }
}
