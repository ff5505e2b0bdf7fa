// SPDX-License-Identifier: MIT
// An authority with its endpoints, and the validation of its discovery document.

package import TesseraWire

/// An authority with its discovery document.
package struct ResolvedAuthority: Sendable {
  package let authority: Authority
  package let configuration: OpenIDConfiguration
  /// The hosts of the cloud; `nil` for ADFS and OpenID Connect.
  package let cloud: CloudInstance?
  /// The warnings of a successful resolution.
  package var warnings: [String] = []

  /// Validates the discovery document of an authority.
  ///
  /// - Throws: `fixConfiguration` if the document has a different issuer or endpoints outside the authority.
  package init(
    _ authority: Authority, _ configuration: OpenIDConfiguration, cloud: CloudInstance?
  ) throws(TesseraError) {
    self.authority = authority
    self.configuration = configuration
    self.cloud = cloud
    guard isIssuedByAuthority else {
      let hint = authority.entraHint(issuer: configuration.issuer).nonBlank
      throw mismatch(
        "has a different issuer, \(configuration.issuer.plain(atMost: 200))."
          + (hint
            ?? " Configure the issuer exactly as its discovery document states it, if you trust it.")
      )
    }
    for endpoint in configuration.endpoints {
      if let rejection = trust.rejection(of: endpoint) { throw mismatch(rejection.message) }
    }
  }

  /// The environment under which records are stored.
  package var environment: String {
    cloud?.preferredCache ?? authority.issuerEnvironment ?? authority.address.environment
  }

  /// Returns the authority of a tenant's tokens, in the form used in results and in account metadata.
  package func resultAuthority(realm: String) -> String {
    authority.resultText(realm: realm)
  }

  /// Returns the token endpoint for refreshing an account's tokens.
  ///
  /// For a shared tenant such as `common`, it is the endpoint of the account's tenant, as in MSAL for Apple. The
  /// endpoints differ only in the tenant.
  package func tokenEndpoint(in realm: String?) -> String {
    let endpoint = configuration.tokenEndpoint
    guard case .entra(let tenant) = authority.kind, let realm, !realm.isEmpty,
      CloudTable.sharedTenants.contains(tenant), let origin = WebURL(endpoint)?.origin,
      endpoint.hasPrefix("\(origin)/\(tenant)/")
    else { return endpoint }
    return "\(origin)/\(realm)" + endpoint.dropFirst(origin.count + 1 + tenant.count)
  }

  /// Whether the issuer of the discovery document is valid for the authority.
  private var isIssuedByAuthority: Bool {
    let issuer = configuration.issuer
    guard authority.isValidIssuer(issuer) else { return false }
    return switch authority.type {
    // OpenID Connect Discovery section 4.3: the issuer must be exactly the configured one.
    case .openID: true
    case .entra, .b2c, .adfs: isAtAuthority(issuer)
    case .ciam: isAtAuthority(issuer) || isExternalTenant(issuer)
    }
  }

  private var trust: EndpointTrust { EndpointTrust(authority: authority, cloud: cloud) }

  private func isAtAuthority(_ text: String) -> Bool {
    WebURL(text).map(trust.isAtAuthority) == true
  }

  /// Returns whether an issuer has the form `https://ID.ciamlogin.com/ID/v2.0`, which is valid for any external tenant.
  private func isExternalTenant(_ text: String) -> Bool {
    guard let address = WebURL(text), let tenant = address.pathSegments.first else {
      return false
    }
    return address.scheme == "https"
      && address.authority == "\(tenant.normalised).\(CloudTable.ciamDomain)"
  }

  private func mismatch(_ problem: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .issuerMismatch, "The discovery document of \(authority.text) \(problem)")
  }
}
