// SPDX-License-Identifier: MIT
// The configuration of an application, with the checks that need no network access.

package import TesseraCache
public import TesseraWire

/// The configuration of an application.
public struct ApplicationConfiguration: Sendable {
  /// The application (client) ID, as registered with the provider (`client_id`).
  public var clientID: String
  /// The default authority of requests: the address of a tenant, or an issuer.
  public var authority = "https://login.microsoftonline.com/common"
  /// The type of the authority; `nil` means Entra for Microsoft's hosts and OpenID Connect for all others.
  public var authorityType: AuthorityType?
  /// The credential of a confidential client; `nil` for a public client.
  public var credential: ClientCredential?
  /// The method of client authentication; `nil` for the default of the provider ("Credentials" in docs/services.md).
  public var authenticationMethod: ClientAuthenticationMethod?
  /// The audience of signed assertions; `nil` for the token endpoint at Microsoft's authorities and the issuer elsewhere.
  public var assertionAudience: AssertionAudience?
  /// Whether users of other Microsoft clouds may sign in, each at their own cloud.
  ///
  /// A browser sign-in then continues in the user's cloud, and a silent call uses the account's cloud. The authority is the
  /// common starting point, such as `https://login.microsoftonline.com/common`.
  public var supportsMultipleClouds = false
  /// Authorities that the application trusts.
  ///
  /// Their hosts are not validated by Microsoft's instance discovery.
  ///
  /// A request may name any authority on such a host. Its type is that of the known authority.
  public var knownAuthorities: [String] = []
  /// Additional form fields for every token request.
  public var extraTokenParameters: [String: String] = [:]
  /// Additional query parameters for the authorization, device authorization and token endpoints.
  public var extraQueryParameters: [String: String] = [:]
  /// The redirect URI of browser sign-ins, as registered with the provider.
  ///
  /// The default is `msauth.[bundle id]://auth`, or `http://localhost` without ``bundleID``. With `http://localhost`, any
  /// port is accepted.
  public var redirectURI: String?
  /// The identifier of the application, such as `com.example.mail`; part of the default redirect URI.
  public var bundleID: String?
  /// The URI schemes that the application has registered with the system.
  ///
  /// A redirect URI with another scheme is rejected. If `nil`, the desktop entries are read instead if needed.
  public var registeredSchemes: [String]?
  /// The service slice, for tests of the service (`slice` in the query).
  public var slice: String?
  /// The data center, for tests of the service (`dc` in the query).
  public var dataCenter: String?
  /// The token store, by default the database of the group `default`.
  public var store = StoreConfiguration.sqlite()
  /// The proxy, such as `http://proxy.example:8080`; `nil` for the one in the environment.
  public var proxy: String?
  /// A comma-separated list of hosts that are connected to directly, without the proxy.
  public var noProxy: String?
  /// A file of CA certificates (PEM) that are trusted instead of the system's.
  public var certificateAuthorityFile: String?
  /// Whether hosts that are not built in are validated by Microsoft's instance discovery.
  ///
  /// Set it to `false` for a disconnected cloud.
  public var usesInstanceDiscovery = true
  /// The time before its expiry from which a token is no longer returned; at most half of its lifetime.
  ///
  /// From 0 to 86,400 seconds.
  public var expiryMargin = Duration.seconds(300)
  /// The timeout of one HTTP request, from 1 millisecond to 1 hour.
  public var networkTimeout = Duration.seconds(30)
  /// Whether an expired token may be returned while the server is unavailable, within the limit set by the server.
  public var usesExtendedLifetime = false
  /// Whether sign-ins request a refresh token (`offline_access`).
  ///
  /// `nil` is the default: `true`, but `false` for ``SignInPromptType/none`` at providers other than Microsoft's.
  public var requestsRefreshToken: Bool?
  /// The `prompt` value that is sent with the request for a refresh token; `nil` for none.
  ///
  /// Only for providers other than Microsoft's that require consent for a refresh token.
  public var offlineAccessPrompt: OfflineAccessPrompt?
  /// The client capabilities, such as `CP1` for an application that handles claims challenges.
  ///
  /// Tokens requested with different capabilities are cached separately, also for the same application.
  public var clientCapabilities: [String] = []
  /// The state of Intune app protection.
  ///
  /// It is passed on to brokers and to Entra.
  ///
  /// With ``IntuneState/mamResources``, access tokens are stored in a partition named by ``bundleID``. They are returned
  /// only for the enrollment for which they were issued. Create a new application object when the enrollment changes.
  public var intune = IntuneState()
  /// Whether token requests report the reason for the request, and the numbers of successful and failed calls, to Entra.
  ///
  /// The data is sent in two header fields ("Telemetry" in docs/authorities.md). Cached tokens are read from the store.
  public var sendsServerTelemetry = false
  /// Whether the identity broker of this machine is used for tokens and sign-ins; see docs/brokers.md.
  ///
  /// A cached token is returned without a broker request. Brokers support Entra accounts only.
  public var broker = BrokerPolicy.never
  /// The maximum time that a caller waits for a refresh while the cached token is still valid, at most 10 minutes.
  public var proactiveRefreshTimeout = Duration.seconds(5)
  /// The texts for users that replace those of the library, by code.
  ///
  /// Each is one line of at most 500 characters. HTML is shown as text. ``UserMessage/pageLanguage`` is a BCP 47 tag.
  public var userMessages: [UserMessage: String] = [:]
  /// The log of the application.
  public var log = TesseraLog.silent
  /// The implementations of the host application that replace those of the library.
  public var host = HostPorts()

  /// Creates a configuration with default settings.
  public init(clientID: String) {
    self.clientID = clientID
  }
}

extension ApplicationConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The client ID, the authority and the kind of store.
  public var description: String {
    "ApplicationConfiguration(\(clientID), \(authority), store: \(store.kind.rawValue))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without values that may contain credentials, such as the proxy and extra parameters.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "clientID": clientID, "authority": authority, "redirectURI": redirectURI ?? "default",
        "credential": credential?.description ?? "none",
        "store": store, "broker": broker, "clientCapabilities": clientCapabilities,
      ])
  }
}

extension ApplicationConfiguration {
  /// Validates the settings.
  ///
  /// - Returns: The parsed authority.
  /// - Throws: `fixConfiguration` with a message that names the invalid setting.
  package func checked() throws(TesseraError) -> Authority {
    try checkClientID()
    try checkLimits()
    try checkNetwork()
    guard clientCapabilities.allSatisfy({ $0.utf8.count <= 100 && $0.isCapability }) else {
      throw Self.invalid(
        "client_capabilities must be names of 1 to 100 printable ASCII characters without spaces, such as CP1."
      )
    }
    if let problem = UserMessages(userMessages).problem {
      throw Self.invalid("user_messages.\(problem)")
    }
    try checkIntune()
    try credential.check(in: self)
    try store.check()
    try checkExtras()
    let authority = try Authority(authority, type: authorityType)
    try checkSignIn(at: authority)
    return authority
  }

  private func checkClientID() throws(TesseraError) {
    guard clientID.nonBlank != nil else {
      throw Self.invalid("client_id is empty: specify the client ID of the app registration.")
    }
    guard clientID == clientID.trimmed else {
      throw Self.invalid("client_id has leading or trailing white space: remove it.")
    }
  }

  private func checkLimits() throws(TesseraError) {
    guard (.zero ... .seconds(86_400)).contains(expiryMargin) else {
      throw Self.invalid("tokens.expiry_margin_seconds must be between 0 and 86400.")
    }
    guard (.milliseconds(1) ... .seconds(3_600)).contains(networkTimeout) else {
      throw Self.invalid("network.timeout_milliseconds must be between 1 and 3600000.")
    }
    guard (.zero ... .seconds(600)).contains(proactiveRefreshTimeout) else {
      throw Self.invalid(
        "network.proactive_refresh_timeout_milliseconds must be between 0 and 600000.")
    }
  }

  private func checkNetwork() throws(TesseraError) {
    guard host.transport != nil else { return }
    let ignored = ["proxy": proxy, "no_proxy": noProxy, "ca_file": certificateAuthorityFile]
    if let name = ignored.filter({ $0.value != nil }).keys.min() {
      throw Self.invalid(
        "network.\(name) has no effect with a transport of the host application: remove one of the two."
      )
    }
  }

  private func checkSignIn(at authority: Authority) throws(TesseraError) {
    _ = try checkedRedirectURI(at: authority)
    guard !supportsMultipleClouds || authority.type == .entra else {
      throw Self.invalid(
        "multiple_clouds requires an Entra authority: remove it, or use an authority of a Microsoft cloud."
      )
    }
  }

  /// The client capabilities, sorted and without duplicates, so that equal sets have equal cache keys.
  package var sortedCapabilities: [String] {
    Set(clientCapabilities).sorted()
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}

extension String {
  fileprivate var isCapability: Bool {
    !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension ApplicationConfiguration {
  /// The extra parameters for all requests, including the `slice` and `dc` query parameters.
  package var extras: ExtraParameters {
    var extras = ExtraParameters()
    extras.tokenFields = extraTokenParameters
    extras.query = extraQueryParameters
    extras.query["slice"] = slice ?? extras.query["slice"]
    extras.query["dc"] = dataCenter ?? extras.query["dc"]
    return extras
  }

  /// Merges the parameters of one request with those of the configuration.
  ///
  /// The request's values take precedence.
  ///
  /// - Throws: `fixRequest` for parameters that are invalid or reserved for the library.
  package func extras(
    _ tokenFields: [String: String], _ query: [String: String]
  ) throws(TesseraError) -> ExtraParameters {
    var extras = extras
    guard !tokenFields.isEmpty || !query.isEmpty else { return extras }
    for (parameters, member) in [
      (tokenFields, "extra_token_parameters"), (query, "extra_query_parameters"),
    ] {
      guard let problem = ExtraParameters.problem(in: parameters) else { continue }
      throw TesseraError(.fixRequest, .invalidMember, "\(member) \(problem)")
    }
    extras.tokenFields.merge(tokenFields) { $1 }
    extras.query.merge(query) { $1 }
    return extras
  }

  /// Checks the extra parameters of the configuration.
  ///
  /// - Throws: `fixConfiguration` for parameters that are invalid or reserved for the library.
  package func checkExtras() throws(TesseraError) {
    for (parameters, member) in [
      (extraTokenParameters, "extra_token_parameters"),
      (extraQueryParameters, "extra_query_parameters"),
    ] {
      guard let problem = ExtraParameters.problem(in: parameters) else { continue }
      throw Self.invalidExtra("advanced.\(member) \(problem)")
    }
    for (name, value) in [("slice", slice), ("dc", dataCenter)] {
      guard let value else { continue }
      guard value.nonBlank != nil else {
        throw Self.invalidExtra("advanced.\(name) is empty: specify a value or remove it.")
      }
      if let problem = ExtraParameters.problem(in: [name: value]) {
        throw Self.invalidExtra("advanced.\(name) \(problem)")
      }
    }
  }

  /// Parses the known authorities.
  ///
  /// The type of each authority is derived from its address, or else the type of the configuration's authority.
  ///
  /// - Throws: `fixConfiguration` for more than 100 authorities, or for an invalid one.
  package func checkedKnownAuthorities() throws(TesseraError) -> [Authority] {
    guard knownAuthorities.count <= 100 else {
      throw Self.invalidExtra("known_authorities has more than 100 entries: remove some.")
    }
    var known: [Authority] = []
    for text in knownAuthorities {
      let type = WebURL(text).flatMap(AuthorityType.init(of:)) ?? authorityType
      do throws(TesseraError) {
        known.append(try Authority(text, type: type))
      } catch {
        throw Self.invalidExtra("known_authorities: \(error.message)")
      }
    }
    return known
  }

  /// Returns the redirect URI of the configuration, or the default one.
  ///
  /// - Throws: `fixConfiguration` with a message that names the URI to register instead.
  package func checkedRedirectURI(at authority: Authority) throws(TesseraError) -> RedirectURI {
    if let bundleID {
      let isName = bundleID.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
      }
      guard isName, (1...155).contains(bundleID.utf8.count) else {
        throw Self.invalidExtra(
          "bundle_id must have 1 to 155 letters, digits, '.' or '-', such as com.example.mail.")
      }
    }
    return try RedirectURI(
      redirectURI,
      of: RedirectOwner(
        clientID: clientID, bundleID: bundleID, schemes: registeredSchemes, authority: authority))
  }

  private static func invalidExtra(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}

extension ApplicationConfiguration {
  /// Checks the settings for app protection.
  ///
  /// - Throws: `fixConfiguration` for an app-protected application without a ``bundleID``, which names its cache partition.
  package func checkIntune() throws(TesseraError) {
    guard intune.isProtected else { return }
    guard bundleID?.nonBlank != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune.mam_resource requires bundle_id, which separates the tokens of the application: set bundle_id."
      )
    }
    for (host, resource) in intune.mamResources
    where host.nonBlank == nil || resource.nonBlank == nil {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune.mam_resource must map each host to a resource; neither may be empty.")
    }
  }

  /// Returns the cache partition for access tokens of an app-protected application; `nil` for the default partition.
  ///
  /// As in MSAL for Apple, only Entra tokens are partitioned. The key is the bundle ID (`application_cache_identifier`).
  package func partition(at authority: Authority) -> String? {
    authority.type == .entra && intune.isProtected ? bundleID : nil
  }

  /// Returns the app-protection enrollment ID of a user; `nil` if there is none, or if the provider is not Entra.
  package func enrollmentID(
    at authority: Authority, homeAccountID: String?, username: String?
  ) -> String? {
    guard authority.type == .entra else { return nil }
    return intune.enrollments?.id(homeAccountID: homeAccountID, username: username)
  }

}

extension TokenResponseRecords {
  /// Returns the records with the cache partition and the enrollment ID of app protection.
  package func withAppProtection(
    of configuration: ApplicationConfiguration, from authority: Authority
  ) -> TokenResponseRecords {
    var tokenRecords = self
    tokenRecords.applicationIdentifier = configuration.partition(at: authority)
    tokenRecords.enrollmentID = configuration.enrollmentID(
      at: authority, homeAccountID: identity.homeAccountID, username: account.username)
    return tokenRecords
  }
}

/// The use of the identity broker of this machine (``ApplicationConfiguration/broker``).
public enum BrokerPolicy: String, Sendable, CaseIterable {
  /// The broker is not used.
  case never
  /// The broker is tried first.
  ///
  /// If it fails, the call continues without it.
  case prefer
  /// Tokens come from the broker or the cache, and never from a server.
  ///
  /// Device codes and pages that the host application opens (``PublicClientApplication/beginSignIn(_:cancellation:)``) are
  /// then rejected. Microsoft Authenticator and the single sign-on extension are brokers, so they may be used.
  case require
}

/// The accounts that can sign in to an application, as in the application registration.
public enum SignInAudience: String, Sendable, CaseIterable {
  /// All work, school and personal accounts.
  case everybody = "AzureADandPersonalMicrosoftAccount"
  /// All work and school accounts.
  case anyOrganization = "AzureADMultipleOrgs"
  /// The members and guests of one tenant.
  case myOrganization = "AzureADMyOrg"
  /// All personal accounts.
  case personalAccounts = "PersonalMicrosoftAccount"
}

extension ApplicationConfiguration {
  /// Returns the URL of an Entra authority, for ``authority``.
  ///
  /// - Parameters:
  ///   - audience: The accounts that can sign in; `nil` for those of the tenant, or for all accounts without a tenant.
  ///   - tenant: A tenant ID or domain. Required for ``SignInAudience/myOrganization``, and invalid for all others.
  /// - Throws: `fixConfiguration` if the tenant is missing, unexpected or malformed. MSAL for Apple has the same rule.
  public static func authority(
    cloud: EntraCloud = .worldwide, audience: SignInAudience? = nil, tenant: String? = nil
  ) throws(TesseraError) -> String {
    let audience = audience ?? (tenant == nil ? .everybody : .myOrganization)
    guard (audience == .myOrganization) == (tenant != nil) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        tenant == nil
          ? "tenant is missing: the audience \(audience.rawValue) requires it."
          : "tenant cannot be combined with the audience \(audience.rawValue): remove one of them."
      )
    }
    let name =
      switch audience {
      case .everybody: "common"
      case .anyOrganization: "organizations"
      case .personalAccounts: "consumers"
      case .myOrganization: tenant ?? ""
      }
    guard !name.isEmpty,
      name.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
          || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E
      })
    else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration, "tenant must be the ID or a domain of a tenant.")
    }
    return "https://\(cloud.host)/\(name)"
  }
}

/// The value of `prompt` that a sign-in sends to obtain a refresh token.
public enum OfflineAccessPrompt: String, Sendable, CaseIterable {
  /// Ask the user for consent at each sign-in, as OpenID Connect Core section 11 requires.
  case consent
}
