// SPDX-License-Identifier: MIT
// What other libraries call the cloud and the tenant of an authority, in the cache that they share.

package import TesseraCache
import TesseraWire

extension UnifiedNames {
  /// The names that other libraries have for what an authority's programs store.
  ///
  /// - Parameter capabilityClaims: the claims of the capabilities that their access tokens have.
  package init(_ authority: Authority, capabilityClaims: String? = nil) {
    let word: String? =
      switch authority.kind {
      case .entra(let tenant): CloudTable.sharedTenants.contains(tenant) ? tenant : nil
      case .b2c(let tenant, _, _): tenant
      case .adfs: "adfs"
      case .ciam, .openID: nil
      }
    self.init(
      preferredHosts: CloudTable.preferredCaches, host: authority.address.environment,
      tenantWord: word, capabilityClaims: capabilityClaims)
  }
}
