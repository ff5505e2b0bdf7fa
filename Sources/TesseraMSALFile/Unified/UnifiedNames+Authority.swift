// SPDX-License-Identifier: MIT
// The names that other libraries use for an authority's cloud and tenant in a shared cache.

import TesseraCache
package import TesseraEngine
import TesseraWire

extension UnifiedNames {
  /// Creates the names that other libraries use for the records of an authority.
  ///
  /// - Parameter capabilityClaims: The claims with the client capabilities of their access tokens.
  package init(_ authority: Authority, capabilityClaims: String? = nil) {
    let tenantAlias: String? =
      switch authority.kind {
      case .entra(let tenant): CloudTable.sharedTenants.contains(tenant) ? tenant : nil
      case .b2c(let tenant, _, _): tenant
      case .adfs: "adfs"
      case .ciam, .openID: nil
      }
    self.init(
      preferredHosts: CloudTable.preferredCaches, host: authority.address.environment,
      tenantAlias: tenantAlias, capabilityClaims: capabilityClaims)
  }
}
