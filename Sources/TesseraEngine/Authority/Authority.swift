// SPDX-License-Identifier: MIT
// Authorities, and which endpoints an authority may name.

package import TesseraCache
package import TesseraWire

/// An authority, parsed from its URL.
package struct Authority: Sendable, Hashable {
  /// The kind of the authority, with its components.
  package enum Kind: Sendable, Hashable {
    /// A tenant: a GUID, a domain, or `common`, `organizations`, `consumers`.
    case entra(tenant: String)
    /// A policy of a B2C tenant, with or without `tfp` before the tenant.
    case b2c(tenant: String, policy: String, isTFP: Bool)
    /// An external tenant, identified by a GUID or a domain.
    case ciam(tenant: String)
    /// ADFS.
    case adfs
    /// An OpenID Connect issuer, spelled exactly as in its discovery document.
    case openID(issuer: String)
  }

  /// The kind of the authority.
  package let kind: Kind
  /// The URL of the authority.
  package let address: WebURL

  /// Creates an authority from its components.
  init(_ kind: Kind, at address: WebURL) {
    self.kind = kind
    self.address = address
  }

  /// The canonical URL: equal authorities have equal texts.
  package var text: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): "\(address.origin)/\(tenant)"
    case .b2c(let tenant, let policy, let isTFP):
      "\(address.origin)\(isTFP ? "/tfp" : "")/\(tenant)/\(policy)"
    case .adfs: "\(address.origin)/adfs"
    case .openID(let issuer): issuer
    }
  }

  /// The kind without its components.
  package var type: AuthorityType {
    switch kind {
    case .entra: .entra
    case .b2c: .b2c
    case .ciam: .ciam
    case .adfs: .adfs
    case .openID: .openID
    }
  }

  /// The tenant in the URL; empty for ADFS and OpenID Connect.
  package var tenant: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): tenant
    case .b2c(let tenant, _, _): tenant
    case .adfs, .openID: ""
    }
  }

  /// The URL of the discovery document (OpenID Connect Discovery section 4).
  package var configurationURL: String {
    let base =
      switch kind {
      case .entra, .b2c, .ciam: text + "/v2.0"
      case .adfs: text
      case .openID(let issuer): issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      }
    return base + "/.well-known/openid-configuration"
  }

  /// The built-in cloud of the authority's host; `nil` for ADFS and OpenID Connect.
  ///
  /// An unknown host, and any host of a B2C or external tenant, is treated as a separate cloud. The alias of an http host
  /// includes the scheme.
  package var cloud: CloudInstance? {
    let host = address.authority
    let name = address.environment
    let own = CloudInstance(preferredNetwork: host, preferredCache: name, aliases: [name])
    return switch kind {
    case .entra: CloudTable.cloud(of: host) ?? own
    case .b2c, .ciam: own
    case .adfs, .openID: nil
    }
  }

  /// Whether the authority belongs to the Microsoft identity platform, which identifies users by `client_info`.
  package var isEntra: Bool { cloud != nil }

  /// Whether the authority runs Microsoft software, which supports Microsoft's header fields.
  package var isMicrosoft: Bool { type != .openID }

  /// The environment under which records of the issuer are stored; `nil` for an authority with a cloud.
  ///
  /// For ADFS it is the host, as in MSAL. Otherwise it is the issuer including its path, so that two issuers on one
  /// host never share records. The scheme is omitted only for https, so that http and https never share records.
  package var issuerEnvironment: String? {
    switch kind {
    case .adfs: return address.environment
    case .openID(let issuer):
      let name = String(issuer.drop { $0 != ":" }.dropFirst(3))
      // An https issuer at a host named "http" keeps its scheme, so that it cannot equal an http issuer.
      let isPlain = address.scheme == "https" && !name.hasPrefix("http://")
      return isPlain ? name : "\(address.scheme)://\(name)"
    case .entra, .b2c, .ciam: return nil
    }
  }

  /// Returns the authority of a tenant's tokens, in the form used in results and in account metadata.
  ///
  /// For B2C, only the form with `tfp` has a position for the tenant (MSAL for Apple).
  package func resultText(realm: String) -> String {
    switch kind {
    case .entra, .ciam: realm.isEmpty ? text : "\(address.origin)/\(realm)"
    case .b2c(_, let policy, true) where !realm.isEmpty: "\(address.origin)/tfp/\(realm)/\(policy)"
    case .b2c, .adfs, .openID: text
    }
  }
}

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

extension Authority {
  /// Returns the same authority in the cloud of a host, or `nil` for an unknown host or a kind without clouds.
  ///
  /// An application with ``ApplicationConfiguration/supportsMultipleClouds`` sends `instance_aware=true`. The response
  /// names the user's cloud (`cloud_instance_host_name`). The authorization code flow redeems the code at this
  /// authority and stores the tokens under it.
  ///
  /// The response is delivered by a browser and is therefore not trusted. The host must be built in, or be the
  /// preferred host of a discovered cloud. MSAL for Apple also ignores other hosts.
  ///
  /// - Parameters:
  ///   - host: A host with an optional port, in any case.
  ///   - discovered: The clouds returned by instance discovery; see ``AuthorityResolver/discoveredClouds``.
  package func inCloud(of host: String?, discovered: [CloudInstance] = []) -> Authority? {
    guard case .entra(let tenant) = kind, let host = host?.normalised.nonBlank else { return nil }
    let builtIn = CloudTable.cloud(of: host)
    if host == address.authority { return self }
    guard builtIn != nil || discovered.contains(where: { $0.preferredNetwork == host }) else {
      return nil
    }
    if builtIn?.aliases.contains(address.authority) == true {
      return self
    }
    return try? Authority("\(address.scheme)://\(host)/\(tenant)", type: .entra)
  }

  /// Returns the authority to use for an account: the one in the account's cloud.
  ///
  /// - Parameters:
  ///   - environment: The environment of the account, if the caller knows it.
  ///   - metadata: The account metadata, which maps requested authorities to the issuing ones. After a sign-in with
  ///     `instance_aware`, the issuing authority is in a different cloud. It is used unless the caller requests an
  ///     account in another environment.
  package func inCloud(
    ofAccount homeAccountID: String, environment: String?, _ metadata: AccountMetadataRecord?
  ) -> Authority {
    let issuer = metadata?.authority(for: text, of: homeAccountID, isInstanceAware: true)
    if let issuer, let other = try? Authority(issuer, type: .entra), other.cloud != cloud,
      CloudTable.cloud(of: other.address.authority) != nil,
      environment.map({ other.cloud?.aliases.contains($0.normalised) == true }) ?? true
    {
      return other
    }
    // Tenants differ between clouds. Only the shared tenants have the same meaning in each.
    guard CloudTable.sharedTenants.contains(tenant) else { return self }
    return inCloud(of: environment) ?? self
  }
}

extension Authority {
  /// Returns the realm of an account's tokens at this authority, or `nil` if it is not known yet.
  ///
  /// - Parameters:
  ///   - metadata: The account metadata, which maps requested authorities to the issuing ones.
  ///   - hosts: The host aliases of the cloud. They have the same tenants.
  ///   - isInstanceAware: Whether the application supports multiple clouds.
  package func realm(
    of homeAccountID: String, _ metadata: AccountMetadataRecord?, hosts: [String],
    isInstanceAware: Bool = false
  ) -> String? {
    guard isEntra else { return "" }
    if let metadata {
      let path = text.dropFirst(address.origin.count)
      for name in [text] + hosts.map({ "\(address.scheme)://\($0)\(path)" }) {
        let result = metadata.authority(
          for: name, of: homeAccountID, isInstanceAware: isInstanceAware)
        if let result {
          return Authority.tenant(in: result)
        }
      }
    }
    guard case .entra(let tenant) = kind else { return homeAccountID.homeTenant }
    guard CloudTable.sharedTenants.contains(tenant) else { return tenant }
    let home = homeAccountID.homeTenant
    switch tenant {
    case "consumers": return CloudTable.consumersTenant
    // As in MSAL for Apple, a shared tenant means the account's own tenant. In `organizations`, a personal account has
    // none.
    case "organizations" where home == CloudTable.consumersTenant: return tenant
    default: return home
    }
  }

  /// Returns an account ID in the form in which this authority compares it.
  package func normalised(_ homeAccountID: String) -> String {
    isEntra ? homeAccountID.normalised : homeAccountID.trimmed
  }

  /// Returns whether an account belongs to a different B2C policy.
  ///
  /// Its tokens are not valid for this authority.
  ///
  /// B2C appends the policy to the object ID, and every policy starts with `b2c_1`. The policy may contain dots; a
  /// tenant ID does not.
  package func belongsToOtherPolicy(_ homeAccountID: String) -> Bool {
    guard case .b2c(_, let policy, _) = kind else { return false }
    guard let dot = homeAccountID.lastIndex(of: ".") else { return false }
    let uid = homeAccountID[..<dot]
    return uid.contains("-b2c_1") && !uid.hasSuffix("-" + policy)
  }

  /// Returns the tenant of a stored authority, or `nil` if it has none.
  private static func tenant(in result: String) -> String? {
    guard let segments = WebURL(result)?.pathSegments else { return nil }
    return segments.first == "tfp" ? segments.dropFirst().first : segments.first
  }
}

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

extension String {
  /// The last part of a home account ID; `nil` if it has only one part.
  fileprivate var homeTenant: String? { split(separator: ".").dropFirst().last.map(String.init) }
}

/// The kind of an authority.
public enum AuthorityType: String, Sendable, CaseIterable {
  /// A tenant of the Microsoft identity platform, or `common`, `organizations`, `consumers`.
  case entra
  /// A policy of an Azure AD B2C tenant.
  case b2c
  /// An external tenant of Entra (CIAM).
  case ciam
  /// Active Directory Federation Services, 2019 or later.
  case adfs
  /// Any other OpenID Connect provider.
  case openID = "openid"
}

extension AuthorityType {
  /// Derives the kind from a URL; `nil` if any provider may use it.
  ///
  /// The order is that of MSAL for Apple. A Microsoft cloud host is never an ADFS server.
  package init?(of address: WebURL) {
    let isCloud = CloudTable.cloud(of: address.host) != nil
    let first = address.pathSegments.first?.normalised
    if first == "tfp" || CloudTable.hasSuffix(address.host, CloudTable.b2cDomains) {
      self = .b2c
    } else if CloudTable.hasSuffix(address.host, [CloudTable.ciamDomain]) {
      self = .ciam
    } else if isCloud {
      self = .entra
    } else if first == "adfs" {
      self = .adfs
    } else {
      return nil
    }
  }
}

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
