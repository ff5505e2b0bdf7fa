// SPDX-License-Identifier: MIT
// Parsing of the JSON configuration of an application.

import TesseraEngine
import TesseraPlatform
import TesseraWire

extension ApplicationConfiguration {
  /// Parses "Configuration" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?, _ host: HostCallbacks) throws(TesseraError) {
    let members = try ConfigurationMembers(text, "configuration")
    self.init(clientID: try members.clientID)
    redirectURI = try members.redirectURI
    bundleID = try members.bundleID
    try readAuthority(members)
    credential = try members.credential.map(ClientCredential.init)
    authenticationMethod = try members.authenticationMethod
    assertionAudience = try members.assertionAudience
    store = try StoreConfiguration(try members.store, host)
    if let network = try members.network { try read(network) }
    if let tokens = try members.tokens { try read(tokens) }
    if let members = try members.intune { intune = try IntuneState(members) }
    if let members = try members.userMessages { try read(members) }
    if let advanced = try members.advanced { try read(advanced) }
    if let value = try members.clientCapabilities { clientCapabilities = value }
    if let value = try members.broker { broker = value }
    let level = try ApplicationConfiguration.logLevel(members)
    let includesPII = try members.logPII ?? false
    if let log = host.log(level: level, includesPII: includesPII) { self.log = log }
    (self.host.clock, self.host.observer) = (host.clock, host.observer)
    self.host.browser = host.browser.map { HostBrowser(host, $0) }
    if host.hasTransport {
      self.host.transport = CallbackTransport(host, time: self.host.time)
    }
  }

  private static func logLevel(_ members: ConfigurationMembers) throws(TesseraError)
    -> TesseraLog.Level
  {
    let level = try members.logLevel ?? Int64(TesseraLog.Level.information.rawValue)
    guard let level = TesseraLog.Level(rawValue: Int32(clamping: level)) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"log_level\" must be 1 (error), 2 (warning), 3 (information) or 4 (detail).")
    }
    return level
  }

  private mutating func readAuthority(_ members: ConfigurationMembers) throws(TesseraError) {
    if let value = try members.authority { authority = value }
    authorityType = try members.authorityType
    let (cloud, audience, tenant) = (try members.cloud, try members.audience, try members.tenant)
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
    if let value = try members.multipleClouds { supportsMultipleClouds = value }
  }

  private mutating func read(_ members: NetworkOptionsMembers) throws(TesseraError) {
    proxy = try members.proxy
    noProxy = try members.noProxy
    certificateAuthorityFile = try members.caFile
    if let value = try members.timeout { networkTimeout = value }
    if let value = try members.proactiveRefreshTimeout { proactiveRefreshTimeout = value }
  }

  private mutating func read(_ members: TokenOptionsMembers) throws(TesseraError) {
    if let value = try members.expiryMargin { expiryMargin = value }
    if let value = try members.extendedLifetime { usesExtendedLifetime = value }
    requestsRefreshToken = try members.requestRefreshToken
    offlineAccessPrompt = try members.offlineAccessPrompt
    if let value = try members.instanceDiscovery { usesInstanceDiscovery = value }
  }

  private mutating func read(_ members: UserMessagesMembers) throws(TesseraError) {
    for message in UserMessage.allCases {
      userMessages[message] = try members.document.string(message.rawValue)
    }
  }

  private mutating func read(_ members: AdvancedOptionsMembers) throws(TesseraError) {
    slice = try members.slice
    dataCenter = try members.dc
    if let value = try members.serverTelemetry { sendsServerTelemetry = value }
    if let value = try members.extraTokenParameters { extraTokenParameters = value }
    if let value = try members.extraQueryParameters { extraQueryParameters = value }
    registeredSchemes = try members.registeredSchemes
  }
}

// MARK: - The credential

extension ClientCredential {
  /// Parses "ClientCredential" of docs/c-interface.md.
  fileprivate init(_ members: ClientCredentialMembers) throws(TesseraError) {
    let certificate = try CertificateCredential(members)
    let kinds: [ClientCredential?] = [
      try members.secret.map { .secret(Secret($0)) },
      try members.secretFile.map { .secretFile($0) },
      try members.assertion.map { .assertion(Secret($0)) },
      try members.assertionFile.map { .assertionFile($0) }, certificate.map { .certificate($0) },
    ]
    let found = kinds.compactMap(\.self)
    guard let credential = found.first, found.count == 1 else {
      throw CertificateCredential.invalid(
        "must have exactly one of secret, secret_file, certificate_pem, certificate_file, pfx_file, assertion and assertion_file."
      )
    }
    self = credential
  }
}

extension CertificateCredential {
  /// Parses the members of a certificate; nil if there are none.
  fileprivate init?(_ members: ClientCredentialMembers) throws(TesseraError) {
    let certificate = try PEM(members.certificatePEM, members.certificateFile, "certificate")
    let key = try PEM(members.keyPEM, members.keyFile, "key")
    let passphrase = try members.passphrase.map { Secret($0) }
    let contents: Contents
    switch (certificate, try members.pfxFile) {
    case (let certificate?, nil): contents = .pem(certificate, key: key)
    case (nil, let file?) where key == nil: contents = .pfxFile(file)
    case (nil, nil):
      guard key == nil, passphrase == nil, try members.sendChain == nil else {
        throw CertificateCredential.invalid(
          "has members for a certificate, but no certificate: add certificate_file, certificate_pem or pfx_file."
        )
      }
      return nil
    default:
      throw CertificateCredential.invalid(
        "has pfx_file, which contains the certificate and the key: remove the other members.")
    }
    self.init(contents, passphrase: passphrase, sendsChain: try members.sendChain ?? false)
  }

  fileprivate static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidMember, "\"credential\" " + message)
  }
}

extension CertificateCredential.PEM {
  /// Creates a text from one of two members; nil without either.
  fileprivate init?(_ text: String?, _ file: String?, _ name: String) throws(TesseraError) {
    switch (text, file) {
    case (nil, nil): return nil
    case (let text?, nil): self = .text(Secret(text))
    case (nil, let file?): self = .file(file)
    case (.some, .some):
      throw CertificateCredential.invalid("has \(name)_pem and \(name)_file: remove one of them.")
    }
  }
}

// MARK: - The store

extension StoreConfiguration {
  /// Parses "StoreOptions" of docs/c-interface.md.
  fileprivate init(_ members: StoreOptionsMembers?, _ host: HostCallbacks) throws(TesseraError) {
    let options = try StoreConfiguration.options(members, host)
    let (kind, cache) = (try members?.kind, try members.flatMap(StoreConfiguration.cache))
    if let store = host.store {
      self = try .init(store, kind, cache, options)
      return
    }
    switch (kind, cache) {
    case (.sqlite?, nil), (nil, nil): self = .sqlite(options)
    case (.memory?, nil): self = .memory
    case (.msalFile?, let cache?), (nil, let cache?):
      self = .msalFile(cache, policy: options.policy, limitMegabytes: options.limitMegabytes)
    case (.msalFile?, nil):
      throw StoreConfiguration.invalid(
        "store.kind is \"msal_file\", but store.msal_cache is missing: set it to a known name or an absolute path."
      )
    case (.host?, nil):
      throw StoreConfiguration.invalid(
        "store.kind is \"host\", but host->store is NULL: pass the callbacks of the store.")
    case (_, .some):
      throw StoreConfiguration.invalid(
        "store.msal_cache requires store.kind \"msal_file\": remove store.kind or store.msal_cache."
      )
    }
  }

  /// Parses the options that several kinds of stores have.
  private static func options(
    _ members: StoreOptionsMembers?, _ host: HostCallbacks
  ) throws(TesseraError) -> SQLiteOptions {
    var options = SQLiteOptions()
    options.key = host.key
    guard let members else { return options }
    if let value = try members.group { options.group = value }
    options.directory = try members.directory
    options.limitMegabytes = try members.limitMegabytes
    if let value = try members.policy { options.policy = value }
    options.keySources = try members.keySources
    if let key = try members.key {
      guard host.key == nil else {
        throw TesseraError(
          .fixRequest, .invalidMember, "Pass either \"store.key\" or host->store_key, not both.")
      }
      options.key = key
    }
    return options
  }

  /// Creates the configuration of the host's store, which excludes all other kinds.
  private init(
    _ store: CallbackStore, _ kind: StoreKind?, _ cache: MSALCache?, _ options: SQLiteOptions
  ) throws(TesseraError) {
    guard kind ?? .host == .host, cache == nil else {
      throw StoreConfiguration.invalid(
        "host->store requires store.kind \"host\": remove host->store, or store.kind and store.msal_cache."
      )
    }
    guard options.directory == nil else {
      throw StoreConfiguration.invalid(
        "store.directory has no effect with host->store: remove one of the two.")
    }
    self = .host(
      store,
      HostOptions(
        partition: options.group, policy: options.policy, limitMegabytes: options.limitMegabytes,
        keySources: options.keySources, key: options.key))
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }

  /// Returns the cache file shared with other libraries, given by its name or path; nil without `msal_cache`.
  private static func cache(_ members: StoreOptionsMembers) throws(TesseraError) -> MSALCache? {
    guard let text = try members.msalCache else { return nil }
    guard let cache = MSALCache(text) else {
      let names = KnownCache.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"store.msal_cache\" must be an absolute path or one of \(names).")
    }
    return cache
  }
}
