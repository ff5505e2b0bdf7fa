// SPDX-License-Identifier: MIT
// Parses the URL of an authority into its kind and components.

import TesseraWire

extension Authority {
  /// Parses an authority.
  ///
  /// - Parameter type: The kind; `nil` to derive it from the URL, with OpenID Connect as the default.
  /// - Throws: `fixConfiguration` for a URL that is not an authority, or to which no secret may be sent.
  package init(_ text: String, type: AuthorityType?) throws(TesseraError) {
    guard let address = WebURL(text) else {
      throw Authority.invalid("The authority must be an https URL without query or fragment.")
    }
    guard address.mayCarrySecrets else {
      throw Authority.invalid(
        "The authority \(address.origin) must use https; http is allowed for loopback hosts only.")
    }
    switch type ?? AuthorityType(of: address) ?? .openID {
    case .openID:
      // OpenID Connect Discovery section 2: an issuer has neither query nor fragment. Microsoft authorities ignore
      // both, as in MSAL.
      guard !text.contains("#"), !text.contains("?") else {
        throw Authority.invalid("The issuer must be an https URL without query or fragment.")
      }
      self.init(.openID(issuer: text), at: address)
    case .entra: self.init(try Authority.entra(address), at: address)
    case .b2c: self.init(try Authority.b2c(address), at: address)
    case .ciam: self.init(try Authority.ciam(address), at: address)
    case .adfs: self.init(try Authority.adfs(address), at: address)
    }
  }

  /// Parses an Entra authority.
  ///
  /// Path segments after the tenant are ignored, as in MSAL.
  private static func entra(_ address: WebURL) throws(TesseraError) -> Kind {
    guard let tenant = address.pathSegments.first?.normalised else {
      throw invalid(
        "The authority has no tenant: append a tenant or /common, as in \(address.origin)/common.")
    }
    guard tenant != "tfp", tenant != "adfs" else {
      throw invalid(
        "\(address.origin)/\(tenant) is not an Entra tenant: set authority_type to \"b2c\" or \"adfs\"."
      )
    }
    return .entra(tenant: tenant)
  }

  /// Parses tenant and policy.
  ///
  /// B2C compares both case-insensitively, so they are normalized.
  private static func b2c(_ address: WebURL) throws(TesseraError) -> Kind {
    let segments = address.pathSegments.map(\.normalised)
    let isTFP = segments.first == "tfp"
    let names = segments.dropFirst(isTFP ? 1 : 0)
    guard let tenant = names.first, let policy = names.dropFirst().first else {
      throw invalid(
        "A B2C authority must contain the tenant and the policy, as in \(address.origin)/contoso.onmicrosoft.com/b2c_1_signin."
      )
    }
    return .b2c(tenant: tenant, policy: policy, isTFP: isTFP)
  }

  /// Parses the tenant from the path, or else from Microsoft's host name.
  private static func ciam(_ address: WebURL) throws(TesseraError) -> Kind {
    if let tenant = address.pathSegments.first?.normalised { return .ciam(tenant: tenant) }
    let labels = address.host.split(separator: ".")
    guard address.host.hasSuffix("." + CloudTable.ciamDomain), labels.count == 3,
      let name = labels.first
    else {
      throw invalid(
        "The authority has no external tenant: use https://TENANT.ciamlogin.com, or append the tenant to the URL of your own domain."
      )
    }
    return .ciam(tenant: "\(name).onmicrosoft.com")
  }

  private static func adfs(_ address: WebURL) throws(TesseraError) -> Kind {
    guard address.pathSegments.first?.normalised == "adfs",
      CloudTable.cloud(of: address.host) == nil
    else {
      throw invalid(
        "An ADFS authority must be the address of the ADFS server followed by /adfs, not a host of a Microsoft cloud."
      )
    }
    return .adfs
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidAuthority, message)
  }
}
