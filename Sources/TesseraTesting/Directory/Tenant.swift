// SPDX-License-Identifier: MIT
// The tenants of the local provider, and the audiences of an Entra authority.

import TesseraWire

/// A directory of users.
struct Tenant: Sendable, Hashable {
  /// The tenant ID.
  let id: String
  /// The domain names that identify it in an authority.
  let domains: [String]

  /// A company.
  static let contoso = Tenant(
    id: "11111111-1111-4111-8111-111111111111", domains: ["contoso.onmicrosoft.com", "contoso.com"])
  /// Another company.
  static let fabrikam = Tenant(
    id: "22222222-2222-4222-8222-222222222222",
    domains: ["fabrikam.onmicrosoft.com", "fabrikam.com"])
  /// The tenant of personal accounts, with the ID that it has in Entra.
  static let personal = Tenant(id: "9188040d-6c67-4c5b-b112-36a304b66dad", domains: [])

  /// The B2C tenant.
  ///
  /// Every user has a separate account in it.
  static let customers = Tenant(
    id: "33333333-3333-4333-8333-333333333333", domains: ["customers.onmicrosoft.com"])
  /// The external tenant (CIAM).
  ///
  /// Every user has a separate account in it.
  static let external = Tenant(
    id: "44444444-4444-4444-8444-444444444444", domains: ["external.onmicrosoft.com"])

  /// The tenants of Entra ID.
  static let all = [contoso, fabrikam, personal]

  /// The start of the IDs of any number of further tenants, which have no domains and no users of their own.
  private static let furtherPrefix = "55555555-5555-4555-8555-"

  /// Returns the tenant of Entra ID with an ID or a domain; nil if there is none.
  ///
  /// Every UUID that starts with `55555555-5555-4555-8555-` is the ID of a tenant, for tests with many tenants.
  static func entra(_ segment: String) -> Tenant? {
    if let tenant = all.first(where: { $0.isNamed(segment) }) { return tenant }
    let name = segment.normalised
    guard name.hasPrefix(furtherPrefix), name.utf8.count == furtherPrefix.utf8.count + 12,
      name.dropFirst(furtherPrefix.count).allSatisfy(\.isHexDigit)
    else { return nil }
    return Tenant(id: name, domains: [])
  }

  /// The first domain, or the ID if it has none.
  var name: String { domains.first ?? id }

  /// Whether a path segment is its ID or one of its domains.
  func isNamed(_ segment: String) -> Bool {
    let name = segment.normalised
    return id == name || domains.contains(name)
  }
}

/// The audience of an Entra authority: the tenant segment of its path.
enum EntraAudience: Sendable, Hashable {
  /// A single tenant, by its ID or a domain.
  case tenant(Tenant)
  /// All users: `common`.
  case everyone
  /// All users with a work account: `organizations`.
  case workAccounts
  /// All users with a personal account: `consumers`.
  case personalAccounts

  /// Parses a path segment.
  ///
  /// Returns nil if the tenant does not exist.
  init?(_ segment: String) {
    switch segment.normalised {
    case "common": self = .everyone
    case "organizations": self = .workAccounts
    case "consumers": self = .personalAccounts
    case let name:
      guard let tenant = Tenant.entra(name) else { return nil }
      self = .tenant(tenant)
    }
  }

  /// The path segment in the URLs of the endpoints.
  var segment: String {
    switch self {
    case .tenant(let tenant): tenant.id
    case .everyone: "common"
    case .workAccounts: "organizations"
    case .personalAccounts: "consumers"
    }
  }

  /// The path segment in the issuer; `{tenantid}` is a placeholder for the user's tenant.
  var issuerSegment: String {
    switch self {
    case .tenant(let tenant): tenant.id
    case .everyone, .workAccounts: "{tenantid}"
    // Entra's discovery document for consumers contains the tenant ID of personal accounts.
    case .personalAccounts: Tenant.personal.id
    }
  }

  /// Returns the tenant in which a user signs in; nil if the user is not allowed.
  func tenant(for user: LocalUser) -> Tenant? {
    switch self {
    case .tenant(.personal), .personalAccounts: user.isPersonal ? .personal : nil
    // A user of another tenant is a guest.
    case .tenant(let tenant): tenant
    case .everyone: user.home
    case .workAccounts: user.isPersonal ? nil : user.home
    }
  }
}
