// SPDX-License-Identifier: MIT
// What a Swift program imports: the engine, assembled with the platform.

@_exported public import TesseraEngine
import TesseraPlatform
@_exported public import TesseraWire

extension PublicClientApplication {
  /// Makes an application that uses this machine's network, clock and token store.
  ///
  /// No file is opened and no server is asked.
  ///
  /// - Throws: ``TesseraError`` with remedy `fixConfiguration` for a setting that cannot work.
  public convenience init(_ configuration: ApplicationConfiguration) throws(TesseraError) {
    // What the surroundings are made of must make sense first.
    _ = try configuration.checked()
    try self.init(configuration, in: .real(configuration))
  }
}

extension Dependencies {
  /// This machine, as a configuration wants it.
  fileprivate static func real(_ configuration: ApplicationConfiguration) -> Dependencies {
    let time = SystemTime()
    var network = NetworkSettings()
    network.proxy = configuration.proxy
    network.noProxy = configuration.noProxy
    network.certificateAuthorityFile = configuration.certificateAuthorityFile
    network.totalTimeoutMilliseconds = UInt32(clamping: configuration.networkTimeoutSeconds * 1000)
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
    // A person looks at one page or window of an application at a time.
    let turn = SignInTurn(time: time)
    return Dependencies(
      transport: CurlTransport(network, time: time), store: store, time: time,
      randomness: SystemRandomness(), workers: WorkerPool(size: 16),
      patientWorkers: WorkerPool(size: 64),
      browser: SystemBrowser(time: time, network: network, turn: turn),
      broker: SystemBroker(time: time, turn: turn), stack: .system, log: configuration.log)
  }
}
