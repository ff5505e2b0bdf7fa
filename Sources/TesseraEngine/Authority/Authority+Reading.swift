// SPDX-License-Identifier: MIT
// From the text of an authority to its kind and parts, with what makes an address none.

import TesseraWire

extension Authority {
  /// Reads an authority.
  ///
  /// - Parameter type: the kind; nil means what the address tells by itself, and OpenID Connect if it tells nothing.
  /// - Throws: `fixConfiguration` for an address that is no authority, or to which no secret may be sent.
  package init(_ text: String, type: AuthorityType?) throws(TesseraError) {
    guard let address = WebAddress(text) else {
      throw Authority.invalid("An authority is an https address without query or fragment.")
    }
    guard address.mayCarrySecrets else {
      throw Authority.invalid(
        "The authority \(address.origin) must be https; http is for this machine only.")
    }
    switch type ?? AuthorityType(of: address) ?? .openID {
    case .openID:
      // OpenID Connect Discovery 2: an issuer has neither query nor fragment. Microsoft's kinds drop them, as MSAL does.
      guard !text.contains("#"), !text.contains("?") else {
        throw Authority.invalid("An issuer is an https address without query or fragment.")
      }
      self.init(.openID(issuer: text), at: address)
    case .entra: self.init(try Authority.entra(address), at: address)
    case .b2c: self.init(try Authority.b2c(address), at: address)
    case .ciam: self.init(try Authority.ciam(address), at: address)
    case .adfs: self.init(try Authority.adfs(address), at: address)
    }
  }

  /// What follows the tenant is dropped, as MSAL does.
  private static func entra(_ address: WebAddress) throws(TesseraError) -> Kind {
    guard let tenant = address.pathSegments.first?.normalised else {
      throw invalid(
        "The authority names no tenant: add one, or /common, as in \(address.origin)/common.")
    }
    guard tenant != "tfp", tenant != "adfs" else {
      throw invalid(
        "\(address.origin)/\(tenant) is no tenant of Entra: set authority_type to b2c or adfs.")
    }
    return .entra(tenant: tenant)
  }

  /// Tenant and policy; their case means nothing to B2C, so that they get one spelling.
  private static func b2c(_ address: WebAddress) throws(TesseraError) -> Kind {
    let segments = address.pathSegments.map(\.normalised)
    let isTFP = segments.first == "tfp"
    let names = segments.dropFirst(isTFP ? 1 : 0)
    guard let tenant = names.first, let policy = names.dropFirst().first else {
      throw invalid(
        "A B2C authority names tenant and policy, as in \(address.origin)/contoso.onmicrosoft.com/b2c_1_signin."
      )
    }
    return .b2c(tenant: tenant, policy: policy, isTFP: isTFP)
  }

  /// The tenant of the path; without a path, the one that Microsoft's host is named after.
  private static func ciam(_ address: WebAddress) throws(TesseraError) -> Kind {
    if let tenant = address.pathSegments.first?.normalised { return .ciam(tenant: tenant) }
    let labels = address.host.split(separator: ".")
    guard address.host.hasSuffix("." + CloudTable.ciamDomain), labels.count == 3,
      let name = labels.first
    else {
      throw invalid(
        "The authority names no external tenant: use https://TENANT.ciamlogin.com, or add the tenant to your own domain."
      )
    }
    return .ciam(tenant: "\(name).onmicrosoft.com")
  }

  private static func adfs(_ address: WebAddress) throws(TesseraError) -> Kind {
    guard address.pathSegments.first?.normalised == "adfs",
      CloudTable.cloud(of: address.host) == nil
    else {
      throw invalid("An ADFS authority is the server's address with /adfs, not a Microsoft cloud.")
    }
    return .adfs
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidAuthority, message)
  }
}
