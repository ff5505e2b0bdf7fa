// SPDX-License-Identifier: MIT
// The module that Swift programs import: the engine, assembled with the platform.

@_exported public import TesseraEngine
import TesseraPlatform
@_exported public import TesseraWire

#if TesseraApple
  @_exported public import TesseraApple
#endif
#if TesseraBroker
  @_exported public import TesseraBroker
#endif
#if TesseraLegacy
  @_exported public import TesseraLegacy
#endif
#if TesseraMSALFile
  @_exported public import TesseraMSALFile
#endif
#if TesseraServices
  @_exported public import TesseraServices
#endif

extension PublicClientApplication {
  /// Creates an application that uses this machine's network, clock and token store, or those of the host application.
  ///
  /// Opens no file and sends no request.
  ///
  /// - Throws: ``TesseraError`` with the remedy `fixConfiguration` for an invalid setting.
  public convenience init(_ configuration: ApplicationConfiguration) throws(TesseraError) {
    try self.init(configuration, in: .real(configuration, isConfidential: false))
  }
}

#if TesseraServices
  extension ConfidentialClientApplication {
    /// Creates an application that uses this machine's network, clock and token store, or those of the host application.
    ///
    /// Opens no file and sends no request.
    ///
    /// - Throws: ``TesseraError`` with the remedy `fixConfiguration` for an invalid setting, and for a configuration without a
    ///   credential.
    public convenience init(_ configuration: ApplicationConfiguration) throws(TesseraError) {
      self.init(
        try PublicClientApplication(
          configuration, in: .real(configuration, isConfidential: true)))
    }
  }
#endif

extension Dependencies {
  /// Returns the dependencies on this machine, according to a configuration.
  ///
  /// - Parameter isConfidential: Whether the configuration must have a credential; `nil` if it may have one.
  /// - Throws: `fixConfiguration` for an invalid setting.
  package static func real(
    _ configuration: ApplicationConfiguration, isConfidential: Bool? = nil
  ) throws(TesseraError) -> Dependencies {
    // The dependencies are created from valid settings only.
    _ = try configuration.checked()
    try configuration.credential.check(isRequired: isConfidential)
    return try created(from: configuration)
  }

  private static func created(
    from configuration: ApplicationConfiguration
  ) throws(TesseraError) -> Dependencies {
    let time = configuration.host.time
    var network = NetworkSettings()
    network.proxy = configuration.proxy
    network.noProxy = configuration.noProxy
    network.certificateAuthorityFile = configuration.certificateAuthorityFile
    network.totalTimeoutMilliseconds = UInt32(
      clamping: configuration.networkTimeout.wholeMilliseconds)
    network.userAgent = "tessera/" + TesseraVersion.text
    let store: any CredentialStore =
      switch configuration.store {
      case _ where configuration.store.kind == .memory, .memory: MemoryStore(time: time)
      case .msalFile(let cache, _, _): try Features.msalFileStore(cache, configuration, time: time)
      case .sqlite(let options):
        SQLiteStore(
          group: options.group, directory: options.directory,
          protection: KeyProvider(configuration, time: time, randomness: SystemRandomness()),
          limitBytes: configuration.store.limitBytes, time: time, log: configuration.log)
      case .host(let host, let options):
        HostCredentialStore(
          host, partition: options.partition,
          protection: KeyProvider(configuration, time: time, randomness: SystemRandomness()),
          limitBytes: configuration.store.limitBytes, time: time, log: configuration.log)
      }
    // An application shows one page or window to the user at a time.
    let signInLock = InteractiveSignInLock(time: time)
    var dependencies = Dependencies(
      transport: configuration.host.transport(timeout: configuration.networkTimeout)
        ?? CurlTransport(network, time: time), store: store, time: time,
      randomness: SystemRandomness(), workers: WorkerPool(size: 16),
      interactiveWorkers: WorkerPool(size: 64),
      browser: configuration.host.browser
        ?? SystemBrowser(time: time, network: network, signInLock: signInLock),
      stack: .system, log: configuration.log)
    dependencies.features = Features.flows(time: time, signInLock: signInLock)
    return dependencies
  }
}

extension ClientCredential? {
  /// Checks that a configuration has a credential, or has none.
  ///
  /// - Throws: `fixConfiguration` with the type of the other applications.
  fileprivate func check(isRequired: Bool?) throws(TesseraError) {
    guard let isRequired, isRequired != (self != nil) else { return }
    throw TesseraError(
      .fixConfiguration, .invalidConfiguration,
      isRequired
        ? "credential is missing: add it, or create a PublicClientApplication."
        : "credential is for confidential clients: create a ConfidentialClientApplication, or remove it."
    )
  }
}
