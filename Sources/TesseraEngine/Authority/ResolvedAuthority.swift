// SPDX-License-Identifier: MIT
// An authority with its endpoints, and the checks of its discovery document.

package import TesseraWire

/// An authority whose discovery documents are known.
package struct ResolvedAuthority: Sendable {
  package let authority: Authority
  package let configuration: OpenIDConfiguration
  /// The hosts of its cloud; nil for ADFS and OpenID Connect.
  package let cloud: CloudInstance?
  /// What wants attention although its endpoints are known.
  package var warnings: [String] = []

  /// Checks that the documents belong to the authority.
  ///
  /// - Throws: `fixConfiguration` when they name another issuer, or endpoints outside the authority.
  package init(
    _ authority: Authority, _ configuration: OpenIDConfiguration, cloud: CloudInstance?
  ) throws(TesseraError) {
    self.authority = authority
    self.configuration = configuration
    self.cloud = cloud
    guard isIssuedByAuthority else {
      let hint = authority.entraHint(issuer: configuration.issuer).nonBlank
      throw mismatch(
        "names another issuer, \(configuration.issuer.plain(atMost: 200))."
          + (hint ?? " Configure the issuer exactly as it names itself."))
    }
    for endpoint in configuration.endpoints {
      if let rejection = trust.rejection(of: endpoint) { throw mismatch(rejection.message) }
    }
  }

  /// The environment under which records are stored.
  package var environment: String {
    cloud?.preferredCache ?? authority.issuerEnvironment ?? authority.address.environment
  }

  /// Where the tokens of a tenant come from, as a result and the account's metadata name it.
  package func resultAuthority(realm: String) -> String {
    authority.resultText(realm: realm)
  }

  /// Where an account's tokens are refreshed: where `common` and its like lead, it is the account's tenant.
  ///
  /// MSAL for Apple asks that tenant's authority. Its endpoints differ in nothing but the name.
  package func tokenEndpoint(in realm: String?) -> String {
    let endpoint = configuration.tokenEndpoint
    guard case .entra(let tenant) = authority.kind, let realm, !realm.isEmpty,
      CloudTable.sharedTenants.contains(tenant), let origin = WebAddress(endpoint)?.origin,
      endpoint.hasPrefix("\(origin)/\(tenant)/")
    else { return endpoint }
    return "\(origin)/\(realm)" + endpoint.dropFirst(origin.count + 1 + tenant.count)
  }

  /// Whether the document names an issuer that such an authority may have.
  private var isIssuedByAuthority: Bool {
    let issuer = configuration.issuer
    guard authority.mayHaveIssuer(issuer) else { return false }
    return switch authority.type {
    // OpenID Connect Discovery 4.3: exactly the issuer that was asked for.
    case .openID: true
    case .entra, .b2c, .adfs: isAtAuthority(issuer)
    case .ciam: isAtAuthority(issuer) || isExternalTenant(issuer)
    }
  }

  private var trust: EndpointTrust { EndpointTrust(authority: authority, cloud: cloud) }

  private func isAtAuthority(_ text: String) -> Bool {
    WebAddress(text).map(trust.isAtAuthority) == true
  }

  /// An external tenant's issuer is `https://ID.ciamlogin.com/ID/v2.0`, whatever name the authority has.
  private func isExternalTenant(_ text: String) -> Bool {
    guard let address = WebAddress(text), let tenant = address.pathSegments.first else {
      return false
    }
    return address.scheme == "https"
      && address.authority == "\(tenant.normalised).\(CloudTable.ciamDomain)"
  }

  private func mismatch(_ fault: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .issuerMismatch, "The discovery document of \(authority.text) \(fault)")
  }
}
