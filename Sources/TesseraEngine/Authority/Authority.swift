// SPDX-License-Identifier: MIT
// The authority of an application or a request: its URL, kind, realm and cloud.

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
