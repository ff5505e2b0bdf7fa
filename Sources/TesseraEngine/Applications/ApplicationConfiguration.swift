// SPDX-License-Identifier: MIT
// The configuration of an application, with the checks that need no network access.

public import TesseraWire

/// The kind of token store.
public enum StoreKind: String, Sendable, CaseIterable {
  /// A database shared by all applications of the user that name the same group.
  case sqlite
  /// The cache file of MSAL for Python, .NET, Go, Java and Node, shared with applications that use those libraries; see
  /// ``ApplicationConfiguration/msalCache``.
  case msalFile = "msal_file"
  /// Process memory.
  ///
  /// The tokens are lost when the process ends.
  case memory
}

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
  /// A redirect URI with another scheme is rejected.
  ///
  /// If `nil`, the desktop entries are read instead, but only if the system has to deliver the redirect.
  public var registeredSchemes: [String]?
  /// The service slice, for tests of the service (`slice` in the query).
  public var slice: String?
  /// The data center, for tests of the service (`dc` in the query).
  public var dataCenter: String?
  /// The name of the group of applications of this user that share the tokens.
  public var group = "default"
  /// The kind of token store.
  public var store = StoreKind.sqlite
  /// The cache of other libraries to use as the store.
  ///
  /// Setting it sets ``store`` to `msalFile`.
  ///
  /// The cache is not encrypted. ``group``, ``storeDirectory`` and the key settings do not apply to it.
  public var msalCache: MSALCache? {
    didSet { if msalCache != nil { store = .msalFile } }
  }
  /// The directory of the database; `nil` for `$XDG_DATA_HOME/tessera`.
  public var storeDirectory: String?
  /// The size of the store above which access tokens are evicted, in megabytes (2^20 bytes); `nil` for no limit.
  ///
  /// The tokens that expire first are evicted first. Expired access tokens are removed in any case, refresh tokens never.
  /// Each application applies its own limit when it writes to the store.
  public var storeLimitMegabytes: Int64?
  /// The required encryption of the store.
  public var storagePolicy = StoragePolicy.preferEncrypted
  /// The locations to try for the key of a new store, in order.
  ///
  /// An existing store keeps its location. With ``storeKey``, stores with a key in one of these locations are trusted in
  /// addition. If this property is not set, only stores encrypted with ``storeKey`` are trusted.
  public var keySources = KeySource.usual {
    didSet { hasExplicitKeySources = true }
  }
  private var hasExplicitKeySources = false
  /// The encryption key of the store, if the application provides it.
  ///
  /// A new store then uses no other source.
  public var storeKey: StoreKey?
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
  /// The time before its expiry from which a token is no longer returned, in seconds; at most half of its lifetime.
  public var expiryMarginSeconds: Int64 = 300
  /// The timeout of one HTTP request, in milliseconds.
  public var networkTimeoutMilliseconds: Int64 = 30_000
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
  /// The data is sent in the two header fields that other MSALs send; see "Telemetry" in docs/authorities.md. Each cached
  /// token is then read from the store, so that it is counted.
  public var sendsServerTelemetry = false
  /// Whether the identity broker of this machine is used for tokens and sign-ins; see docs/brokers.md.
  ///
  /// A cached token is returned without a broker request. Brokers support Entra accounts only.
  public var broker = BrokerPolicy.never
  /// The maximum time that a caller waits for a refresh while the cached token is still valid, in milliseconds.
  public var proactiveRefreshTimeoutMilliseconds: Int64 = 5_000
  /// The log of the application.
  public var log = Log.silent
  /// Whether log messages may contain user names, identifiers and addresses.
  public var logsPII = false

  /// Creates a configuration with default settings.
  public init(clientID: String) {
    self.clientID = clientID
  }
}

extension ApplicationConfiguration {
  /// Validates the settings.
  ///
  /// - Returns: The parsed authority.
  /// - Throws: `fixConfiguration` with a message that names the invalid setting.
  package func checked() throws(TesseraError) -> Authority {
    try checkClientID()
    guard isGroupName(group) else {
      throw Self.invalid(
        "store.group is invalid: use 1 to 64 letters, digits, '.', '_' or '-', not starting with '.'."
      )
    }
    // Quarantined databases have this suffix. A group with such a name would be mistaken for one of them.
    guard !group.contains(".damaged-") else {
      throw Self.invalid(
        "store.group contains \".damaged-\", reserved for quarantined databases: choose another name."
      )
    }
    try checkLimits()
    if let storeDirectory, !storeDirectory.hasPrefix("/") || storeDirectory.utf8.contains(0) {
      throw Self.invalid("store.directory must be an absolute path.")
    }
    guard clientCapabilities.allSatisfy({ $0.utf8.count <= 100 && $0.isCapability }) else {
      throw Self.invalid(
        "client_capabilities must be names of 1 to 100 printable ASCII characters without spaces, such as CP1."
      )
    }
    try checkIntune()
    try checkCache()
    try checkKeys()
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
    guard (0...86_400).contains(expiryMarginSeconds) else {
      throw Self.invalid("tokens.expiry_margin_seconds must be between 0 and 86400.")
    }
    guard (1...3_600_000).contains(networkTimeoutMilliseconds) else {
      throw Self.invalid("network.timeout_milliseconds must be between 1 and 3600000.")
    }
    guard (0...600_000).contains(proactiveRefreshTimeoutMilliseconds) else {
      throw Self.invalid(
        "network.proactive_refresh_timeout_milliseconds must be between 0 and 600000.")
    }
    if let storeLimitMegabytes, !(1...1_000_000).contains(storeLimitMegabytes) {
      throw Self.invalid("store.limit_megabytes must be between 1 and 1000000.")
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

  private func checkCache() throws(TesseraError) {
    if case .file(let path)? = msalCache, MSALCache(path) != msalCache {
      throw Self.invalid("store.msal_cache must be the absolute path of a file.")
    }
    guard (store == .msalFile) == (msalCache != nil) else {
      throw Self.invalid(
        msalCache == nil
          ? "store.kind is \"msal_file\", but store.msal_cache is missing: set it to a known name or an absolute path."
          : "store.msal_cache requires store.kind \"msal_file\": remove store.kind or store.msal_cache."
      )
    }
  }

  private func checkKeys() throws(TesseraError) {
    if let storeKey, !storeKey.isUsable {
      throw Self.invalid("store.key must have \(StoreKey.byteCount) bytes.")
    }
    guard Set(keySources).count == keySources.count else {
      throw Self.invalid("store.key_sources lists a source twice: list each source once.")
    }
    guard storeKey != nil || !keySources.contains(.caller) else {
      throw Self.invalid(
        "store.key_sources lists \"caller\", but store.key is missing: pass store.key, or remove \"caller\"."
      )
    }
  }

  /// The client capabilities, sorted and without duplicates, so that equal sets have equal cache keys.
  package var sortedCapabilities: [String] {
    Set(clientCapabilities).sorted()
  }

  /// The key sources of trusted stores; `nil` if all stores are trusted.
  ///
  /// An attacker with write access to the store's files can replace them with a store encrypted with another key. An
  /// application that provides the key itself can detect this.
  package var trustedKeySources: Set<KeySource>? {
    guard storeKey != nil else { return nil }
    return Set(hasExplicitKeySources ? keySources : []).union([.caller])
  }

  /// Checks the group name.
  ///
  /// It becomes a file name, so it must not contain path separators.
  private func isGroupName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80
          && (character.isLetter || character.isNumber || "._-".contains(character))
      }
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
