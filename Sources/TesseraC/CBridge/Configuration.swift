// SPDX-License-Identifier: MIT
// Parsing of the JSON configuration of an application.

import TesseraEngine
import TesseraWire

extension ApplicationConfiguration {
  /// Parses "Configuration" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?, _ host: HostCallbacks) throws(TesseraError) {
    let document = try RequestDocument(
      text, "configuration", accepting: ApplicationConfiguration.members)
    self.init(clientID: try document.requiredString("client_id"))
    try readAuthorities(document)
    try readStore(document, host)
    proxy = try document.string("proxy")
    noProxy = try document.string("no_proxy")
    certificateAuthorityFile = try document.string("ca_file")
    if let value = try document.bool("instance_discovery") { usesInstanceDiscovery = value }
    if let value = try document.count("expiry_margin_seconds") { expiryMargin = .seconds(value) }
    if let value = try document.count("network_timeout_seconds") {
      networkTimeout = .seconds(value)
    }
    if let value = try document.milliseconds("proactive_refresh_timeout_milliseconds") {
      proactiveRefreshTimeout = value
    }
    if let value = try document.bool("extended_lifetime") { usesExtendedLifetime = value }
    requestsRefreshToken = try document.bool("request_refresh_token")
    offlineAccessPrompt = try document.choice("offline_access_prompt", OfflineAccessPrompt.self)
    if let value = try document.strings("client_capabilities") { clientCapabilities = value }
    intune = try document.intune()
    if let value = try document.bool("server_telemetry") { sendsServerTelemetry = value }
    if let value = try document.choice("broker", BrokerPolicy.self) { broker = value }
    if let log = host.log(level: try ApplicationConfiguration.logLevel(document)) {
      self.log = log
    }
  }

  private static func logLevel(_ document: RequestDocument) throws(TesseraError) -> TesseraLog.Level
  {
    let level = try document.count("log_level") ?? Int64(TesseraLog.Level.information.rawValue)
    guard let level = TesseraLog.Level(rawValue: Int32(clamping: level)) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"log_level\" must be 1 (error), 2 (warning), 3 (information) or 4 (detail).")
    }
    return level
  }

  private static let members = [
    "client_id", "redirect_uri", "bundle_id", "registered_schemes", "authority", "cloud",
    "audience", "tenant", "authority_type",
    "multiple_clouds", "known_authorities",
    "extra_token_parameters", "extra_query_parameters", "slice", "dc", "group", "store",
    "store_directory", "msal_cache", "storage_policy", "key_sources", "store_key",
    "store_limit_megabytes",
    "proxy", "no_proxy", "ca_file", "instance_discovery", "expiry_margin_seconds",
    "network_timeout_seconds", "proactive_refresh_timeout_milliseconds", "extended_lifetime",
    "request_refresh_token", "offline_access_prompt",
    "client_capabilities", "intune_enrollment_ids", "intune_mam_resource", "server_telemetry",
    "broker", "log_level",
  ]

  private mutating func readStore(
    _ document: RequestDocument, _ host: HostCallbacks
  ) throws(TesseraError) {
    var options = StoreConfiguration.SQLiteOptions()
    if let value = try document.string("group") { options.group = value }
    options.directory = try document.string("store_directory")
    options.limitMegabytes = try document.count("store_limit_megabytes")
    if let value = try document.choice("storage_policy", StoragePolicy.self) {
      options.policy = value
    }
    options.keySources = try document.choices("key_sources", KeySource.self)
    options.key = try ApplicationConfiguration.key(document, host)
    let cache = try ApplicationConfiguration.cache(document)
    switch (try document.choice("store", StoreKind.self), cache) {
    case (.sqlite?, nil), (nil, nil): store = .sqlite(options)
    case (.memory?, nil): store = .memory
    case (.msalFile?, let cache?), (nil, let cache?):
      store = .msalFile(cache, policy: options.policy, limitMegabytes: options.limitMegabytes)
    case (.msalFile?, nil):
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "store is \"msal_file\", but msal_cache is missing: set it to a known name or an absolute path."
      )
    case (_, .some):
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "msal_cache requires store \"msal_file\": remove store or msal_cache.")
    }
  }

  private mutating func readAuthorities(_ document: RequestDocument) throws(TesseraError) {
    if let value = try document.string("authority") { authority = value }
    authorityType = try document.choice("authority_type", AuthorityType.self)
    let cloud = try document.choice("cloud", EntraCloud.self)
    let audience = try document.choice("audience", SignInAudience.self)
    let tenant = try document.string("tenant")
    if cloud != nil || audience != nil || tenant != nil {
      guard document.value("authority") == nil else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "Pass either \"authority\", or \"cloud\", \"audience\" and \"tenant\", not both.")
      }
      authority = try ApplicationConfiguration.authority(
        cloud: cloud ?? .worldwide, audience: audience, tenant: tenant)
    }
    if let value = try document.strings("known_authorities") { knownAuthorities = value }
    if let value = try document.stringDictionary("extra_token_parameters") {
      extraTokenParameters = value
    }
    if let value = try document.stringDictionary("extra_query_parameters") {
      extraQueryParameters = value
    }
    redirectURI = try document.string("redirect_uri")
    bundleID = try document.string("bundle_id")
    registeredSchemes = try document.strings("registered_schemes")
    if let value = try document.bool("multiple_clouds") { supportsMultipleClouds = value }
    slice = try document.string("slice")
    dataCenter = try document.string("dc")
  }

  /// Returns the cache file shared with other libraries, given by its name or path; nil without `msal_cache`.
  private static func cache(_ document: RequestDocument) throws(TesseraError) -> MSALCache? {
    guard let text = try document.string("msal_cache") else { return nil }
    guard let cache = MSALCache(text) else {
      let names = KnownCache.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw TesseraError(
        .fixRequest, .invalidMember, "\"msal_cache\" must be an absolute path or one of \(names).")
    }
    return cache
  }

  /// Returns the key of the store, from the configuration or from the host's callback; nil without either.
  ///
  /// - Throws: `fixRequest` if both are given.
  private static func key(
    _ document: RequestDocument, _ host: HostCallbacks
  ) throws(TesseraError) -> StoreKey? {
    guard let key = try document.storeKey("store_key") else { return host.key }
    guard host.key == nil else {
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass either \"store_key\" or host->store_key, not both.")
    }
    return key
  }
}
