// SPDX-License-Identifier: MIT
// Parsing of the JSON configuration of an application.

import TesseraEngine
import TesseraWire

extension ApplicationConfiguration {
  /// Parses "Configuration" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?, _ host: HostCallbacks) throws(TesseraError) {
    let members = try ConfigurationMembers(text, "configuration")
    self.init(clientID: try members.clientID)
    try readAuthorities(members)
    try readStore(members, host)
    proxy = try members.proxy
    noProxy = try members.noProxy
    certificateAuthorityFile = try members.caFile
    if let value = try members.instanceDiscovery { usesInstanceDiscovery = value }
    if let value = try members.expiryMarginSeconds { expiryMarginSeconds = value }
    if let value = try members.networkTimeoutSeconds { networkTimeoutSeconds = value }
    if let value = try members.proactiveRefreshTimeoutMilliseconds {
      proactiveRefreshTimeoutMilliseconds = value
    }
    if let value = try members.extendedLifetime { usesExtendedLifetime = value }
    requestsRefreshToken = try members.requestRefreshToken
    offlineAccessPrompt = try members.offlineAccessPrompt
    if let value = try members.clientCapabilities { clientCapabilities = value }
    intune = try members.intune()
    if let value = try members.serverTelemetry { sendsServerTelemetry = value }
    if let value = try members.broker { broker = value }
    if let log = host.log(level: try ApplicationConfiguration.logLevel(members)) {
      self.log = log
    }
  }

  private static func logLevel(_ members: ConfigurationMembers) throws(TesseraError) -> LogLevel {
    let level = try members.logLevel ?? Int64(LogLevel.information.rawValue)
    guard let level = LogLevel(rawValue: Int32(clamping: level)) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"log_level\" must be 1 (error), 2 (warning), 3 (information) or 4 (detail).")
    }
    return level
  }

  private mutating func readStore(
    _ members: ConfigurationMembers, _ host: HostCallbacks
  ) throws(TesseraError) {
    if let value = try members.group { group = value }
    msalCache = try ApplicationConfiguration.cache(members)
    if let value = try members.store { store = value }
    storeDirectory = try members.storeDirectory
    storeLimitMegabytes = try members.storeLimitMegabytes
    if let value = try members.storagePolicy {
      storagePolicy = value
    }
    if let value = try members.keySources { keySources = value }
    storeKey = try ApplicationConfiguration.key(members, host)
  }

  private mutating func readAuthorities(_ members: ConfigurationMembers) throws(TesseraError) {
    if let value = try members.authority { authority = value }
    authorityType = try members.authorityType
    let cloud = try members.cloud
    let audience = try members.audience
    let tenant = try members.tenant
    if cloud != nil || audience != nil || tenant != nil {
      guard try members.authority == nil else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "Pass either \"authority\", or \"cloud\", \"audience\" and \"tenant\", not both.")
      }
      authority = try ApplicationConfiguration.authority(
        cloud: cloud ?? .worldwide, audience: audience, tenant: tenant)
    }
    if let value = try members.knownAuthorities { knownAuthorities = value }
    if let value = try members.extraTokenParameters {
      extraTokenParameters = value
    }
    if let value = try members.extraQueryParameters {
      extraQueryParameters = value
    }
    redirectURI = try members.redirectURI
    bundleID = try members.bundleID
    registeredSchemes = try members.registeredSchemes
    if let value = try members.multipleClouds { supportsMultipleClouds = value }
    slice = try members.slice
    dataCenter = try members.dc
  }

  /// Returns the cache file shared with other libraries, given by its name or path; nil without `msal_cache`.
  private static func cache(_ members: ConfigurationMembers) throws(TesseraError) -> MSALCache? {
    guard let text = try members.msalCache else { return nil }
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
    _ members: ConfigurationMembers, _ host: HostCallbacks
  ) throws(TesseraError) -> StoreKey? {
    guard let key = try members.storeKey else { return host.key }
    guard host.key == nil else {
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass either \"store_key\" or host->store_key, not both.")
    }
    return key
  }
}
