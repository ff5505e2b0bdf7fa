// SPDX-License-Identifier: MIT
// The configuration of an application, with the checks that need no network access.

public import TesseraWire

/// The configuration of an application.
public struct ApplicationConfiguration: Sendable {
  /// The application (client) ID, as registered with the provider (`client_id`).
  public var clientID: String
  /// The default authority of requests: the address of a tenant, or an issuer.
  public var authority = "https://login.microsoftonline.com/common"
  /// The type of the authority; `nil` means Entra for Microsoft's hosts and OpenID Connect for all others.
  public var authorityType: AuthorityType?
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
    guard clientCapabilities.allSatisfy({ $0.utf8.count <= 100 && $0.isCapability }) else {
      throw Self.invalid(
        "client_capabilities must be names of 1 to 100 printable ASCII characters without spaces, such as CP1."
      )
    }
    if let problem = UserMessages(userMessages).problem {
      throw Self.invalid("user_messages.\(problem)")
    }
    try checkIntune()
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
