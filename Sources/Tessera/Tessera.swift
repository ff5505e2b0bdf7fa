// SPDX-License-Identifier: MIT
// The module that Swift programs import: the engine, assembled with the platform.

@_exported public import TesseraEngine
import TesseraPlatform
@_exported public import TesseraWire

extension PublicClientApplication {
  /// Creates an application that uses this machine's network, clock and token store.
  ///
  /// Opens no file and sends no request.
  ///
  /// - Throws: ``TesseraError`` with the remedy `fixConfiguration` for an invalid setting.
  public convenience init(_ configuration: ApplicationConfiguration) throws(TesseraError) {
    // The dependencies are created from valid settings only.
    _ = try configuration.checked()
    try self.init(configuration, in: .real(configuration))
  }
}

extension Dependencies {
  /// Returns the dependencies on this machine, according to a configuration.
  fileprivate static func real(_ configuration: ApplicationConfiguration) -> Dependencies {
    let time = SystemTime()
    var network = NetworkSettings()
    network.proxy = configuration.proxy
    network.noProxy = configuration.noProxy
    network.certificateAuthorityFile = configuration.certificateAuthorityFile
    network.totalTimeoutMilliseconds = UInt32(clamping: configuration.networkTimeoutMilliseconds)
    network.userAgent = "tessera/" + Version.text
    let store: any CredentialStore =
      switch (configuration.store, configuration.storagePolicy) {
      case (.memory, _), (_, .memoryOnly): MemoryStore(time: time)
      case (.msalFile, _):
        configuration.msalCache.map { MSALFileStore($0, configuration, time: time) }
          ?? MemoryStore(time: time)
      case (.sqlite, _):
        SQLiteStore(
          group: configuration.group, directory: configuration.storeDirectory,
          protection: KeyProvider(configuration, time: time, randomness: SystemRandomness()),
          limitBytes: configuration.storeLimitMegabytes.map { $0 << 20 },
          time: time, log: configuration.log)
      }
    // An application shows one page or window to the user at a time.
    let signInLock = InteractiveSignInLock(time: time)
    return Dependencies(
      transport: CurlTransport(network, time: time), store: store, time: time,
      randomness: SystemRandomness(), workers: WorkerPool(size: 16),
      interactiveWorkers: WorkerPool(size: 64),
      browser: SystemBrowser(time: time, network: network, signInLock: signInLock),
      broker: SystemBroker(time: time, signInLock: signInLock), stack: .system,
      log: configuration.log)
  }
}
