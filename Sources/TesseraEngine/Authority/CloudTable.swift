// SPDX-License-Identifier: MIT
// The hosts of the Microsoft clouds: trusted without asking anybody.

package import TesseraWire

/// The clouds that are known without instance discovery.
package enum CloudTable {
  /// The cloud that a host belongs to; nil for a host that is not built in.
  package static func cloud(of host: String) -> CloudInstance? {
    clouds.first { $0.aliases.contains(host) }
  }

  /// The host that vouches for hosts that are not built in.
  package static let trustedHost = "login.microsoftonline.com"

  /// The tenant of all personal accounts.
  package static let consumersTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// What stands for no tenant of its own in an authority.
  package static let sharedTenants = ["common", "organizations", "consumers"]

  /// Where Microsoft serves B2C tenants, each under a name of its own.
  package static let b2cDomains = ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de"]

  /// Where Microsoft serves external tenants (CIAM), each under a name of its own.
  package static let ciamDomain = "ciamlogin.com"

  /// Whether a host is one of some domains, or below one.
  package static func hasSuffix(_ host: String, _ domains: [String]) -> Bool {
    domains.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Under which of its hosts the records of a cloud are stored, by each of them.
  static let preferredCaches: [String: String] = clouds.reduce(into: [:]) { hosts, cloud in
    for host in cloud.aliases { hosts[host] = cloud.preferredCache }
  }

  private static let clouds: [CloudInstance] = [
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
