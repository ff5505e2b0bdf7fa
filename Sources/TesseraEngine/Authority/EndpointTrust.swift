// SPDX-License-Identifier: MIT
// The trust in issuers and endpoints.

package import TesseraCache
package import TesseraWire

extension Authority {
  /// Returns whether an issuer has a path that is valid for this kind of authority.
  ///
  /// The host is checked elsewhere.
  ///
  /// The paths are those of the servers' discovery documents:
  /// - Entra and external tenants: `/ID/v2.0` or `/ID/` (version 1). `{tenantid}` may replace the ID.
  /// - B2C: the same, or `/tfp/ID/POLICY/v2.0/`.
  /// - ADFS: `/adfs`.
  func isValidIssuer(_ issuer: String) -> Bool {
    // The issuer of an OpenID Connect provider may have no path.
    if case .openID(let own) = kind { return issuer == own }
    guard let names = Authority.names(in: issuer), let first = names.first else { return false }
    switch kind {
    case .entra(let tenant), .ciam(let tenant):
      return names.count <= 2 && matchesTenant(first, tenant)
    case .b2c(let tenant, let policy, _):
      guard first == "tfp" else { return names.count <= 2 && matchesTenant(first, tenant) }
      return names.count <= 4 && names.dropFirst(2).first == policy
        && names.dropFirst().first.map { matchesTenant($0, tenant) } == true
    case .adfs: return names == ["adfs"]
    case .openID: return false
    }
  }

  /// Checks that the tenant of an ID token is valid for the authority.
  ///
  /// `organizations` excludes personal accounts, `consumers` excludes all others, and a tenant ID matches only itself.
  /// For every authority, `tid` must be the tenant in the token's issuer.
  ///
  /// - Throws: `id_token_tenant` or `id_token_issuer`.
  func checkTenant(_ claimed: String?, issuer: String) throws(WireError) {
    guard cloud != nil else { return }
    guard let claimed = claimed?.normalised else {
      // B2C includes the tenant in the issuer only.
      guard type == .entra else { return }
      throw WireError("id_token_issuer", "The ID token has no tenant (tid).")
    }
    if let message = rejectionMessage(forTenant: claimed) {
      throw WireError("id_token_tenant", message)
    }
    let issuers = Authority.names(in: issuer)?.filter(\.isTenantID) ?? []
    guard [tenantID, issuers.first].allSatisfy({ $0 == nil || $0 == claimed }) else {
      throw WireError(
        "id_token_issuer", "The ID token was issued for a different tenant than \(text).")
    }
  }

  /// Returns the error message for accounts of a tenant that cannot sign in here, or `nil` if they can.
  ///
  /// Entra rejects them on its page (AADSTS50020), so neither a sign-in nor a refresh can succeed.
  func rejectionMessage(forTenant home: String) -> String? {
    guard type == .entra else { return nil }
    let isPersonal = home == CloudTable.consumersTenant
    return switch tenant {
    case "organizations" where isPersonal:
      "The account is a personal account, but \(text) admits only work and school accounts: sign in with one of those, or use the authority \(address.origin)/common."
    case "consumers" where !isPersonal:
      "The account is a work or school account, but \(text) admits only personal accounts: sign in with one of those, or use the authority \(address.origin)/common."
    default: nil
    }
  }

  /// The tenant ID, if the URL contains it.
  private var tenantID: String? {
    if type == .entra, tenant == "consumers" { return CloudTable.consumersTenant }
    return tenant.isTenantID ? tenant : nil
  }

  /// Returns whether a tenant in an issuer is this one.
  ///
  /// Any tenant ID may belong to a domain name.
  private func matchesTenant(_ name: String, _ tenant: String) -> Bool {
    name == tenant || name == Authority.anyTenant
      || name.isTenantID && (tenantID == nil || tenantID == name)
  }

  /// Returns the normalized path segments of an issuer, or `nil` if it is not a URL.
  private static func names(in issuer: String) -> [String]? {
    WebURL(issuer.replacing("{tenantid}", with: anyTenant))?.pathSegments.map(\.normalised)
  }

  /// The replacement for `{tenantid}` before parsing, because braces are not valid in a URL.
  private static let anyTenant = "tenantid"
}

extension String {
  /// Whether the string has the form of a tenant ID: a lower-case UUID.
  fileprivate var isTenantID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy {
        $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      }
  }
}

/// The check of an authority's endpoints: authorization, token, device, revocation and end of session.
struct EndpointTrust {
  /// The reason for rejecting an endpoint.
  enum Rejection: Sendable {
    /// An invalid URL, an http endpoint of an https authority, or an http endpoint on another machine.
    case insecure
    /// An endpoint on this machine, declared by an authority on another machine.
    case onThisMachine
    /// An endpoint at a host other than the authority's.
    case otherHost

    /// The end of a sentence that starts with "The discovery document".
    var message: String {
      switch self {
      case .insecure:
        "has an endpoint that is not a valid https URL, or that contains user information (user@host); no secret is sent to it."
      case .onThisMachine:
        "has an endpoint on this machine, which is allowed only for an authority on this machine."
      case .otherHost:
        "has an endpoint at a different host than the authority; no secret is sent to it."
      }
    }
  }

  let authority: Authority
  /// The trusted hosts of the authority's cloud; see ``CloudInstance/trusted(_:isVerified:for:)``.
  let cloud: CloudInstance?

  /// Returns the reason for rejecting an endpoint, or `nil` if it may be used.
  func rejection(of endpoint: String) -> Rejection? {
    guard let address = WebURL(endpoint), address.mayCarrySecrets,
      address.scheme == "https" || authority.address.scheme == "http"
    else { return .insecure }
    if address.isThisMachine, !authority.address.isThisMachine { return .onThisMachine }
    // An OpenID Connect provider may have endpoints at several hosts (Discovery 1.0 section 3).
    if authority.isMicrosoft, !isAtAuthority(address) { return .otherHost }
    return nil
  }

  /// Returns whether a URL has the scheme of the authority, and its host or a host alias of its cloud.
  func isAtAuthority(_ address: WebURL) -> Bool {
    address.scheme == authority.address.scheme
      && (address.authority == authority.address.authority
        || cloud?.aliases.contains(address.environment) == true)
  }
}

extension OpenIDConfiguration {
  /// The endpoints that receive a secret or open in a browser.
  var endpoints: [String] {
    [
      tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint, revocationEndpoint,
      endSessionEndpoint,
    ].compactMap(\.self)
  }
}

extension CloudInstance {
  /// Returns the trusted hosts of an authority's cloud, given those declared by a document or a stored record.
  ///
  /// All hosts of a cloud share tokens, so a false declaration would send tokens to another host:
  /// - A built-in host has the hosts of the built-in table, whatever is declared.
  /// - A host on this machine has only itself.
  /// - Any other host may declare its cloud if the public cloud verified it. The cloud must contain that host and both
  ///   preferred hosts. It must not contain a host of a built-in cloud or of this machine.
  ///
  /// Otherwise the cloud consists of the authority's own host.
  ///
  /// - Parameters:
  ///   - declared: The cloud of the document or record; `nil` for none.
  ///   - isVerified: Whether it is from the public cloud's instance discovery.
  package static func trusted(
    _ declared: CloudInstance?, isVerified: Bool, for authority: Authority
  ) -> CloudInstance? {
    guard authority.type == .entra, isVerified, let declared,
      CloudTable.cloud(of: authority.address.authority) == nil, !authority.address.isLoopback,
      declared.aliases.contains(authority.address.authority),
      declared.aliases.contains(declared.preferredNetwork),
      declared.aliases.contains(declared.preferredCache),
      declared.aliases.allSatisfy(isForeignHost)
    else { return authority.cloud }
    return declared
  }

  /// Returns whether a name is a host of neither a built-in cloud nor this machine.
  private static func isForeignHost(_ name: String) -> Bool {
    guard let address = WebURL("https://\(name)"), address.authority == name else {
      return false
    }
    return CloudTable.cloud(of: address.host) == nil && !address.isThisMachine
  }
}

extension DiscoveryRecord {
  /// Returns the trusted hosts of the authority's cloud, based on this record.
  package func trustedCloud(of authority: Authority) -> CloudInstance? {
    CloudInstance.trusted(cloud, isVerified: isVerified, for: authority)
  }
}

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
