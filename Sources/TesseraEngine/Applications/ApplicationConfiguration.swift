// SPDX-License-Identifier: MIT
// What an application says about itself once, with the checks that need no network.

public import TesseraWire

/// Where an application keeps its tokens.
public enum StoreKind: String, Sendable, CaseIterable {
  /// In a database that all programs of the user share which name the same group.
  case sqlite
  /// In the cache file of MSAL for Python, .NET, Go, Java and Node, shared with their programs; see
  /// ``ApplicationConfiguration/msalCache``.
  case msalFile = "msal_file"
  /// In memory, gone with the process.
  case memory
}

/// The configuration of an application.
public struct ApplicationConfiguration: Sendable {
  /// The application's id, as registered with the provider (`client_id`).
  public var clientID: String
  /// Who issues tokens when a request names nobody else: a tenant's address or an issuer.
  public var authority = "https://login.microsoftonline.com/common"
  /// The kind of the authority; nil means Entra for Microsoft's hosts and OpenID Connect for all others.
  public var authorityType: AuthorityType?
  /// Whether people of other Microsoft clouds may sign in, each at their own cloud.
  ///
  /// A sign-in in the browser then goes on in the cloud of the person, and a silent call asks the account's cloud. The
  /// authority names where everybody begins, such as `https://login.microsoftonline.com/common`.
  public var supportsMultipleClouds = false
  /// Authorities that the program vouches for: Microsoft is not asked about their hosts.
  ///
  /// A request may name any authority on such a host; its kind is that of the known one.
  public var knownAuthorities: [String] = []
  /// Fields that are added to the body of every token request.
  public var extraTokenParameters: [String: String] = [:]
  /// Fields that are added to the query of the endpoints that sign in and give tokens.
  public var extraQueryParameters: [String: String] = [:]
  /// Where the answer of a sign-in in a browser comes to, as it is registered.
  ///
  /// nil for `msauth.[bundle id]://auth`, or `http://localhost` without ``bundleID``. At `http://localhost`, any port serves.
  public var redirectURI: String?
  /// The program's identifier, such as `com.example.mail`, of which the usual redirect URI is made.
  public var bundleID: String?
  /// The schemes that are registered for the program, where it knows; a redirect URI with another one is refused.
  ///
  /// Without it, the desktop's entries are looked at where the system has to bring the answer.
  public var registeredSchemes: [String]?
  /// The slice of the service that is asked, for tests of the service (`slice` in the query).
  public var slice: String?
  /// The data center that is asked, for tests of the service (`dc` in the query).
  public var dataCenter: String?
  /// The programs with which the tokens are shared: those of this user that name the same group.
  public var group = "default"
  /// Where the tokens are kept.
  public var store = StoreKind.sqlite
  /// The cache of other libraries that is the store; giving one sets ``store`` to `msalFile`.
  ///
  /// It lies in clear. ``group``, ``storeDirectory`` and keys are not for it.
  public var msalCache: MSALCache? {
    didSet { if msalCache != nil { store = .msalFile } }
  }
  /// The directory of the database; nil for `$XDG_DATA_HOME/tessera`.
  public var storeDirectory: String?
  /// Megabytes (2^20 bytes) from which access tokens make room in the store, those that end first; nil for no limit.
  ///
  /// Tokens that have ended go in any case, refresh tokens never do. Every program that stores something heeds its own limit.
  public var storeLimitMegabytes: Int64?
  /// What the store's encryption must be like.
  public var storagePolicy = StoragePolicy.preferEncrypted
  /// Who may keep the key of a new store, in the order in which they are tried.
  ///
  /// A store that exists keeps the source that it was made with. With ``storeKey``, those that are set here are whose
  /// stores are read besides the program's own; unless it is set, nobody's are.
  public var keySources = KeySource.usual {
    didSet { namesKeySources = true }
  }
  private var namesKeySources = false
  /// The key of the store, if the program keeps it itself; then a new store is sealed with it and nothing else.
  public var storeKey: StoreKey?
  /// A proxy, such as `http://proxy.example:8080`; nil for what the environment says.
  public var proxy: String?
  /// Hosts that are reached without the proxy, separated by commas.
  public var noProxy: String?
  /// A file of certificates (PEM) that are trusted instead of the system's.
  public var certificateAuthorityFile: String?
  /// Whether Microsoft is asked if it knows a host that is not built in.
  ///
  /// Turn it off for a disconnected cloud.
  public var usesInstanceDiscovery = true
  /// Seconds before its expiry from which a token is not used any more; at most half of its lifetime.
  public var expiryMarginSeconds: Int64 = 300
  /// Seconds that one exchange with a server may take.
  public var networkTimeoutSeconds: Int64 = 30
  /// Whether a token may be handed out after its expiry while the server is down, as long as the server allows.
  public var usesExtendedLifetime = false
  /// Whether sign-ins request a refresh token (`offline_access`).
  ///
  /// `nil` is the default: `true`, but `false` for ``SignInPromptType/none`` at providers other than Microsoft's.
  public var requestsRefreshToken: Bool?
  /// The prompt that is sent with the request for a refresh token; `nil` for none.
  ///
  /// Only for providers other than Microsoft's that require consent for a refresh token.
  public var offlineAccessPrompt: OfflineAccessPrompt?
  /// What the application can do with an answer of a resource, such as `CP1`: it handles claims challenges.
  ///
  /// Tokens for other capabilities are other tokens, also for the same application.
  public var clientCapabilities: [String] = []
  /// What Intune's app protection has told the program; brokers and Entra are told of it.
  ///
  /// With ``IntuneState/mamResources``, access tokens are kept apart under ``bundleID``, and serve only the enrolment that
  /// they were given for. Make the application anew when Intune tells of another enrolment: that costs nothing.
  public var intune = IntuneState()
  /// Whether token requests tell Entra why they are made, and how many calls succeeded and failed since the last one.
  ///
  /// Entra gets the two header fields that other MSALs send; see "Telemetry" in docs/authorities.md. Each cached
  /// token is then looked up in the store, where it is counted.
  public var sendsServerTelemetry = false
  /// Whether the identity broker of this machine gives tokens and signs people in; see docs/brokers.md.
  ///
  /// A cached token is handed out without asking it, and it has accounts of Entra alone.
  public var broker = BrokerPolicy.never
  /// Milliseconds that a caller who could have a valid token waits at most for a newer one.
  public var proactiveRefreshTimeoutMilliseconds: Int64 = 5_000
  /// Where the log goes.
  public var log = Log.silent

  /// A configuration for an application; everything else has a default.
  public init(clientID: String) {
    self.clientID = clientID
  }
}

extension ApplicationConfiguration {
  /// Throws for what cannot work, and gives the authority.
  ///
  /// - Throws: `fixConfiguration`; the message names the setting.
  package func checked() throws(TesseraError) -> Authority {
    try checkClientID()
    guard isGroupName(group) else {
      throw Self.invalid(
        "group is not a name: use 1 to 64 letters, digits, '.', '_' or '-', and no '.' at its start."
      )
    }
    // So are the databases called that were set aside: another group's would be taken for one of them.
    guard !group.contains(".damaged-") else {
      throw Self.invalid(
        "group contains \".damaged-\", as only a damaged database may be called: choose another name."
      )
    }
    guard (0...86_400).contains(expiryMarginSeconds) else {
      throw Self.invalid("expiry_margin_seconds must be between 0 and 86400.")
    }
    guard (1...3_600).contains(networkTimeoutSeconds) else {
      throw Self.invalid("network_timeout_seconds must be between 1 and 3600.")
    }
    guard (0...600_000).contains(proactiveRefreshTimeoutMilliseconds) else {
      throw Self.invalid("proactive_refresh_timeout_milliseconds must be between 0 and 600000.")
    }
    if let storeLimitMegabytes, !(1...1_000_000).contains(storeLimitMegabytes) {
      throw Self.invalid("store_limit_megabytes must be between 1 and 1000000.")
    }
    if let storeDirectory, !storeDirectory.hasPrefix("/") || storeDirectory.utf8.contains(0) {
      throw Self.invalid("store_directory must be an absolute path.")
    }
    guard clientCapabilities.allSatisfy({ $0.utf8.count <= 100 && $0.isCapability }) else {
      throw Self.invalid("client_capabilities must be printable names without spaces, such as CP1.")
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
      throw Self.invalid("client_id is empty: give the application's id, as it is registered.")
    }
    guard clientID == clientID.trimmed else {
      throw Self.invalid("client_id has white space around it: leave that out.")
    }
  }

  private func checkSignIn(at authority: Authority) throws(TesseraError) {
    _ = try checkedRedirectURI(at: authority)
    guard !supportsMultipleClouds || authority.type == .entra else {
      throw Self.invalid(
        "multiple_clouds is for Entra alone: leave it out, or use an authority of a Microsoft cloud."
      )
    }
  }

  private func checkCache() throws(TesseraError) {
    if case .file(let path)? = msalCache, MSALCache(path) != msalCache {
      throw Self.invalid("msal_cache must be an absolute path of a file.")
    }
    guard (store == .msalFile) == (msalCache != nil) else {
      throw Self.invalid(
        msalCache == nil
          ? "store is \"msal_file\", but no msal_cache says which file: give a known name or an absolute path."
          : "msal_cache is for store \"msal_file\" alone: leave store out.")
    }
  }

  private func checkKeys() throws(TesseraError) {
    if let storeKey, !storeKey.isUsable {
      throw Self.invalid("store_key must have \(StoreKey.byteCount) bytes.")
    }
    guard Set(keySources).count == keySources.count else {
      throw Self.invalid("key_sources names a source twice: name each once.")
    }
    guard storeKey != nil || !keySources.contains(.caller) else {
      throw Self.invalid(
        "key_sources names \"caller\", but no store_key was given: give one, or leave it out.")
    }
  }

  /// The capabilities in one order, so that the same ones always mean the same tokens.
  package var sortedCapabilities: [String] {
    Set(clientCapabilities).sorted()
  }

  /// Whose keys a store may be sealed with to be believed; nil for everybody's.
  ///
  /// Whoever can write the files of a store could put another one in its place, with a key of his own: a program that
  /// keeps its key itself can tell.
  package var believedSources: Set<KeySource>? {
    guard storeKey != nil else { return nil }
    return Set(namesKeySources ? keySources : []).union([.caller])
  }

  /// A group becomes the name of a file, so it must not lead elsewhere.
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
