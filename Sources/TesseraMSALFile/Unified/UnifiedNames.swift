// SPDX-License-Identifier: MIT
// The hosts, the tenant alias and the capabilities that other libraries use for the records of the cache.

import TesseraCache

/// The names that an application's authority uses in the cache.
///
/// MSAL Python and Go store the host and the tenant alias of their authority, and look these up first. MSAL for .NET
/// and Node store the preferred host of the cloud and the tenant ID.
package struct UnifiedNames: Sendable {
  /// The preferred cache host, for each host of a cloud.
  package let preferredHosts: [String: String]
  /// The host of the application's authority, or `nil` for the preferred host.
  package let host: String?
  /// The tenant alias of the authority: `organizations`, `common`, `consumers`, `adfs`, or the name of a B2C tenant.
  package let tenantAlias: String?
  /// The client capabilities of other libraries' access tokens, as claims, or `nil` for none.
  ///
  /// Other libraries do not write the claims to an entry. Tools that distinguish such tokens use a separate cache for
  /// them.
  package let capabilityClaims: String?

  /// Creates the names of an authority.
  ///
  /// By default, hosts and tenants are not mapped.
  package init(
    preferredHosts: [String: String] = [:], host: String? = nil, tenantAlias: String? = nil,
    capabilityClaims: String? = nil
  ) {
    self.preferredHosts = preferredHosts
    self.host = host
    self.tenantAlias = tenantAlias
    self.capabilityClaims = capabilityClaims
  }

  /// Returns the environment for the host in an entry.
  func preferred(_ environment: String) -> String {
    preferredHosts[environment] ?? environment
  }

  /// Returns the host under which a new entry is written.
  func written(_ environment: String) -> String {
    guard let host, preferred(host) == environment else { return environment }
    return host
  }

  /// Returns the environment and all hosts that are mapped to it.
  func hosts(of environment: String) -> [String] {
    [environment]
      + preferredHosts.lazy.filter { $0.value == environment && $0.key != environment }
      .map(\.key)
  }
}
