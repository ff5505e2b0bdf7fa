// SPDX-License-Identifier: MIT
// A hint for an Entra authority at an unknown host that was configured without authority_type.

import TesseraWire

extension Authority {
  /// The placeholder in the issuer of the tenants that Entra's applications share.
  private static let issuerPlaceholder = "{tenantid}"

  /// Returns the hint that an OpenID Connect authority looks like one of Entra; empty if it does not.
  ///
  /// - Parameter issuer: the issuer that the discovery document names; nil without a document.
  func entraHint(issuer: String? = nil) -> String {
    let tenant = address.pathSegments.first?.normalised ?? ""
    guard type == .openID,
      CloudTable.sharedTenants.contains(tenant)
        || issuer?.contains(Authority.issuerPlaceholder) == true
    else { return "" }
    return
      " It looks like Entra at a host that is not Microsoft's. Set authority_type to \"entra\" and authority to "
      + "\(address.origin)/\(tenant)."
  }
}
