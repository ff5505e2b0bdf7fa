// SPDX-License-Identifier: MIT
// The directories of the Entra face, and the names under which they and their unions are reached.

import TesseraWire

/// A directory of people.
struct Tenant: Sendable, Hashable {
  /// The tenant id.
  let id: String
  /// The domain names that stand for it in an authority.
  let domains: [String]

  /// A company.
  static let contoso = Tenant(
    id: "11111111-1111-4111-8111-111111111111", domains: ["contoso.onmicrosoft.com", "contoso.com"])
  /// Another company.
  static let fabrikam = Tenant(
    id: "22222222-2222-4222-8222-222222222222",
    domains: ["fabrikam.onmicrosoft.com", "fabrikam.com"])
  /// Where Entra keeps personal accounts; its id is the same everywhere.
  static let personal = Tenant(id: "9188040d-6c67-4c5b-b112-36a304b66dad", domains: [])

  /// The tenant of B2C: everybody has an account of its own there.
  static let customers = Tenant(
    id: "33333333-3333-4333-8333-333333333333", domains: ["customers.onmicrosoft.com"])
  /// The external tenant (CIAM): everybody has an account of its own there.
  static let external = Tenant(
    id: "44444444-4444-4444-8444-444444444444", domains: ["external.onmicrosoft.com"])

  /// The tenants of the Entra face.
  static let all = [contoso, fabrikam, personal]

  /// Its first domain, by which people know it.
  var name: String { domains.first ?? id }

  /// Whether a segment of a path is its id or one of its domains.
  func isNamed(_ segment: String) -> Bool {
    let name = segment.normalised
    return id == name || domains.contains(name)
  }
}

/// What stands in the place of a tenant in an Entra authority.
enum EntraAudience: Sendable, Hashable {
  /// One tenant, by its id or a domain.
  case tenant(Tenant)
  /// `common`: everybody.
  case everyone
  /// `organizations`: everybody with a work account.
  case workAccounts
  /// `consumers`: everybody with a personal account.
  case personalAccounts

  /// Reads a segment of a path; nil for a tenant that does not exist.
  init?(_ segment: String) {
    switch segment.normalised {
    case "common": self = .everyone
    case "organizations": self = .workAccounts
    case "consumers": self = .personalAccounts
    case let name:
      guard let tenant = Tenant.all.first(where: { $0.isNamed(name) })
      else { return nil }
      self = .tenant(tenant)
    }
  }

  /// The segment in the addresses of the endpoints.
  var segment: String {
    switch self {
    case .tenant(let tenant): tenant.id
    case .everyone: "common"
    case .workAccounts: "organizations"
    case .personalAccounts: "consumers"
    }
  }

  /// The segment in the issuer; `{tenantid}` stands for the tenant of whoever signs in.
  var issuerSegment: String {
    switch self {
    case .tenant(let tenant): tenant.id
    case .everyone, .workAccounts: "{tenantid}"
    // Entra's document for consumers names the one tenant there is.
    case .personalAccounts: Tenant.personal.id
    }
  }

  /// The tenant in which a person signs in; nil if they may not.
  func tenant(for user: LocalUser) -> Tenant? {
    switch self {
    case .tenant(.personal), .personalAccounts: user.isPersonal ? .personal : nil
    // Whoever is not at home there is a guest.
    case .tenant(let tenant): tenant
    case .everyone: user.home
    case .workAccounts: user.isPersonal ? nil : user.home
    }
  }
}
