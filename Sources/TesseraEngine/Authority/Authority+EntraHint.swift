// SPDX-License-Identifier: MIT
// A hint for an Entra authority at an unknown host that was configured without authority_type.

import TesseraWire

extension Authority {
  /// The tenant placeholder in the issuer of a shared tenant's discovery document.
  private static let issuerPlaceholder = "{tenantid}"

  /// Returns a hint if an OpenID Connect authority looks like an Entra authority, otherwise an empty string.
  ///
  /// - Parameter issuer: The issuer of the discovery document; `nil` without a document.
  func entraHint(issuer: String? = nil) -> String {
    let tenant = address.pathSegments.first?.normalised ?? ""
    guard type == .openID,
      CloudTable.sharedTenants.contains(tenant)
        || issuer?.contains(Authority.issuerPlaceholder) == true
    else { return "" }
    return
      " It appears to be Entra at a host that is not Microsoft's: set authority_type to \"entra\" and authority to "
      + "\(address.origin)/\(tenant)."
  }
}
