// SPDX-License-Identifier: MIT
// The clouds of Microsoft Entra ID.

package import TesseraWire

/// The built-in Microsoft clouds.
package enum CloudTable {
  /// Returns the cloud of a host, or `nil` for a host that is not built in.
  package static func cloud(of host: String) -> CloudInstance? {
    clouds.first { $0.aliases.contains(host) }
  }

  /// The host that serves instance discovery for hosts that are not built in.
  package static let trustedHost = "login.microsoftonline.com"

  /// The tenant ID of all personal accounts.
  package static let consumersTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// The authority path segments that do not identify a single tenant.
  package static let sharedTenants = ["common", "organizations", "consumers"]

  /// The domains of Microsoft's B2C hosts.
  ///
  /// Each tenant has its own subdomain.
  package static let b2cDomains = ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de"]

  /// The domain of Microsoft's external tenants (CIAM).
  ///
  /// Each tenant has its own subdomain.
  package static let ciamDomain = "ciamlogin.com"

  /// Returns whether a host is one of the domains or a subdomain of one.
  package static func hasSuffix(_ host: String, _ domains: [String]) -> Bool {
    domains.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// The host under which records of a cloud are stored, by host alias.
  package static let preferredCaches: [String: String] = clouds.reduce(into: [:]) { hosts, cloud in
    for host in cloud.aliases { hosts[host] = cloud.preferredCache }
  }

  /// All built-in clouds.
  static let clouds: [CloudInstance] = [
    CloudInstance(
      preferredNetwork: trustedHost, preferredCache: "login.windows.net",
      aliases: [trustedHost, "login.windows.net", "login.microsoft.com", "sts.windows.net"]),
    cloud("login.partner.microsoftonline.cn", "login.chinacloudapi.cn"),
    cloud("login.microsoftonline.us", "login.usgovcloudapi.net"),
    cloud("login.microsoftonline.de"),
    cloud("login-us.microsoftonline.com"),
    cloud("login.sovcloud-identity.fr"),
    cloud("login.sovcloud-identity.de"),
    cloud("login.sovcloud-identity.sg"),
  ]

  private static func cloud(_ host: String, _ others: String...) -> CloudInstance {
    CloudInstance(preferredNetwork: host, preferredCache: host, aliases: [host] + others)
  }
}

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
  /// The sovereign cloud Bleu in France.
  case france
  /// The sovereign cloud Delos in Germany.
  case delos
  /// The cloud of the government of Singapore.
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
