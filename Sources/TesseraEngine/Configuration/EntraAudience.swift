// SPDX-License-Identifier: MIT
// Entra authorities by cloud and audience, as an alternative to URLs.

import TesseraWire

/// The accounts that can sign in to an application, as in the application registration.
public enum SignInAudience: String, Sendable, CaseIterable {
  /// All work, school and personal accounts.
  case everybody = "AzureADandPersonalMicrosoftAccount"
  /// All work and school accounts.
  case anyOrganization = "AzureADMultipleOrgs"
  /// The members and guests of one tenant.
  case myOrganization = "AzureADMyOrg"
  /// All personal accounts.
  case personalAccounts = "PersonalMicrosoftAccount"
}

extension ApplicationConfiguration {
  /// Returns the URL of an Entra authority, for ``authority``.
  ///
  /// - Parameters:
  ///   - audience: The accounts that can sign in; `nil` for those of the tenant, or for all accounts without a tenant.
  ///   - tenant: A tenant ID or domain. Required for ``SignInAudience/myOrganization``, and invalid for all others.
  /// - Throws: `fixConfiguration` if the tenant is missing, unexpected or malformed. MSAL for Apple has the same rule.
  public static func authority(
    cloud: EntraCloud = .worldwide, audience: SignInAudience? = nil, tenant: String? = nil
  ) throws(TesseraError) -> String {
    let audience = audience ?? (tenant == nil ? .everybody : .myOrganization)
    guard (audience == .myOrganization) == (tenant != nil) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        tenant == nil
          ? "tenant is missing: the audience \(audience.rawValue) requires it."
          : "tenant cannot be combined with the audience \(audience.rawValue): remove one of them."
      )
    }
    let name =
      switch audience {
      case .everybody: "common"
      case .anyOrganization: "organizations"
      case .personalAccounts: "consumers"
      case .myOrganization: tenant ?? ""
      }
    guard !name.isEmpty,
      name.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
          || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E
      })
    else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration, "tenant must be the ID or a domain of a tenant.")
    }
    return "https://\(cloud.host)/\(name)"
  }
}
