// SPDX-License-Identifier: MIT
// An Entra authority by cloud and audience, for a program that would rather not spell addresses.

import TesseraWire

/// A cloud of the Microsoft identity platform.
public enum EntraCloud: String, Sendable, CaseIterable {
  /// The public cloud.
  case worldwide = "public"
  /// Azure operated by 21Vianet.
  case china
  /// Azure Germany, which was closed in 2021.
  case germany
  /// Azure for the government of the United States.
  case usGovernment = "us_government"
  /// Bleu, in France.
  case france
  /// Delos, in Germany.
  case delos
  /// The government of Singapore.
  case singaporeGovernment = "gov_sg"

  var host: String {
    switch self {
    case .worldwide: CloudTable.trustedHost
    case .china: "login.chinacloudapi.cn"
    case .germany: "login.microsoftonline.de"
    case .usGovernment: "login.microsoftonline.us"
    case .france: "login.sovcloud-identity.fr"
    case .delos: "login.sovcloud-identity.de"
    case .singaporeGovernment: "login.sovcloud-identity.sg"
    }
  }
}

/// Who may sign in to an application, by the names of its registration.
public enum SignInAudience: String, Sendable, CaseIterable {
  /// Everybody with a work, school or personal account.
  case everybody = "AzureADandPersonalMicrosoftAccount"
  /// Everybody with a work or school account.
  case anyOrganization = "AzureADMultipleOrgs"
  /// The people and guests of one tenant.
  case myOrganization = "AzureADMyOrg"
  /// Everybody with a personal account.
  case personalAccounts = "PersonalMicrosoftAccount"
}

extension ApplicationConfiguration {
  /// The address of an Entra authority, for ``authority``.
  ///
  /// - Parameters:
  ///   - audience: who may sign in; nil for the tenant's people, or everybody without a tenant.
  ///   - tenant: an id or domain; wanted for ``SignInAudience/myOrganization``, and refused for all others.
  /// - Throws: `fixConfiguration` for a tenant that is missing, unwanted or no name (MSAL for Apple has the same rule).
  public static func authority(
    cloud: EntraCloud = .worldwide, audience: SignInAudience? = nil, tenant: String? = nil
  ) throws(TesseraError) -> String {
    let audience = audience ?? (tenant == nil ? .everybody : .myOrganization)
    guard (audience == .myOrganization) == (tenant != nil) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        tenant == nil
          ? "tenant is missing: the audience \(audience.rawValue) needs one."
          : "tenant is given, but the audience \(audience.rawValue) has none: leave one of them out."
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
        .fixConfiguration, .invalidConfiguration, "tenant must be the id or a domain of a tenant.")
    }
    return "https://\(cloud.host)/\(name)"
  }
}
