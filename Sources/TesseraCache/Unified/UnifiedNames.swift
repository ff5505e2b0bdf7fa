// SPDX-License-Identifier: MIT
// What programs call a cloud and a tenant, where Tessera has one name for each, and what they do not say of their tokens.

/// The names that a program's authority has for what is stored.
///
/// MSAL Python and Go store the host and the word of their authority, and look for those first; MSAL for .NET and Node the
/// preferred host of the cloud, and the tenant.
package struct UnifiedNames: Sendable {
  /// Under which host the records of a cloud are, by each of its hosts.
  package let preferredHosts: [String: String]
  /// The host of the program's authority; nil for the preferred one.
  package let host: String?
  /// What the authority calls the tenant: `organizations`, `common`, `consumers`, `adfs`, or a B2C tenant's name.
  package let tenantWord: String?
  /// The claims of the capabilities that the access tokens of others have; nil for none.
  ///
  /// No other library writes that into its entries: tools that tell such tokens from others keep them in another cache.
  package let capabilityClaims: String?

  /// The names of an authority; without any, a host is what it says, and so is a tenant.
  package init(
    preferredHosts: [String: String] = [:], host: String? = nil, tenantWord: String? = nil,
    capabilityClaims: String? = nil
  ) {
    self.preferredHosts = preferredHosts
    self.host = host
    self.tenantWord = tenantWord
    self.capabilityClaims = capabilityClaims
  }

  /// The environment that an entry's environment stands for.
  func preferred(_ environment: String) -> String {
    preferredHosts[environment] ?? environment
  }

  /// The environment under which a new entry lies.
  func written(_ environment: String) -> String {
    guard let host, preferred(host) == environment else { return environment }
    return host
  }

  /// The environments that stand for one.
  func hosts(of environment: String) -> [String] {
    [environment]
      + preferredHosts.lazy.filter { $0.value == environment && $0.key != environment }
      .map(\.key)
  }
}
