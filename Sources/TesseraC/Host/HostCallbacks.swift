// SPDX-License-Identifier: MIT
// Swift wrappers of the host's callbacks.

import CTessera
import TesseraEngine

/// The host's callbacks with their user data.
///
/// The host guarantees that they are safe to call from any thread.
struct HostCallbacks: @unchecked Sendable {
  private let userData: UnsafeMutableRawPointer?
  private let log: tessera_log_callback?
  private let storeKey: tessera_store_key_callback?
  private let transport: tessera_transport_callback?
  private let observe: tessera_observe_callback?
  /// The callbacks of the host's browser; nil for the browser of this library.
  let browser: tessera_browser?
  /// The clock of the host; nil without a callback.
  let clock: CallbackClock?
  /// The store of the host; nil without one.
  let store: CallbackStore?
  /// The guard of the callbacks.
  ///
  /// It is closed when the application is freed.
  let callbackGuard = CallbackGuard()

  /// The size of the first version of `tessera_host`.
  ///
  /// Programs compiled with that version have no later members.
  private static let firstSize = MemoryLayout<(Int, Int, Int, Int, Int)>.size

  /// Copies the callbacks of a host; without a host, there are none.
  ///
  /// - Throws: `fixRequest` if the structure is smaller than its first version, or if its browser or
  ///   store lacks a callback.
  init(_ host: UnsafePointer<tessera_host>?) throws(TesseraError) {
    guard host == nil || (host?.pointee.size ?? 0) >= HostCallbacks.firstSize else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->size must be sizeof(tessera_host).")
    }
    let host = HostCallbacks.copy(host)
    let userData = host.user_data
    self.userData = userData
    log = host.log
    storeKey = host.store_key
    transport = host.transport
    observe = host.observe
    browser = try HostCallbacks.checked(host.browser)
    clock = host.clock.map { [callbackGuard] callback in
      CallbackClock(callback, userData, callbackGuard)
    }
    store = try host.store.map { [callbackGuard] store throws(TesseraError) in
      try CallbackStore(store, userData, callbackGuard)
    }
  }

  /// Copies the callbacks of a browser.
  ///
  /// - Throws: `fixRequest` if the structure is too small, or if a required callback is NULL.
  private static func checked(
    _ browser: UnsafePointer<tessera_browser>?
  ) throws(TesseraError) -> tessera_browser? {
    guard let browser else { return nil }
    guard browser.pointee.size >= MemoryLayout<tessera_browser>.size else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->browser->size must be sizeof(tessera_browser).")
    }
    guard browser.pointee.open != nil, browser.pointee.next != nil else {
      throw TesseraError(
        .fixRequest, .missingParameter, "host->browser requires open and next.")
    }
    return browser.pointee
  }

  /// Copies the structure of a host; members that the program was not compiled with are NULL.
  private static func copy(_ host: UnsafePointer<tessera_host>?) -> tessera_host {
    var copy = tessera_host()
    guard let host else { return copy }
    withUnsafeMutableBytes(of: &copy) { memory in
      memory.copyMemory(
        from: UnsafeRawBufferPointer(start: host, count: min(host.pointee.size, memory.count)))
    }
    return copy
  }

  /// Returns a log that calls the host's log callback; nil without a callback.
  func log(level: TesseraLog.Level, includesPII: Bool) -> TesseraLog? {
    guard let log else { return nil }
    return TesseraLog(level: level, includesPII: includesPII) { level, message in
      callbackGuard.enter { message.withCString { log(userData, level.rawValue, $0) } }
    }
  }

  /// The observer that calls the host's callback; nil without a callback.
  var observer: (any MetricsObserver)? { observe == nil ? nil : CallbackObserver(host: self) }

  /// Passes a change of a metric to the host's callback.
  fileprivate func observe(_ observation: MetricObservation) {
    guard let observe else { return }
    _ = observation.name.rawValue.withCString { name in
      observation.tagsDocument.withCString { tags in
        callbackGuard.enter { observe(userData, name, observation.value, tags) }
      }
    }
  }

  /// The store key that the host's callback returns; nil without a callback.
  var key: StoreKey? {
    guard let storeKey else { return nil }
    return StoreKey { () throws(NoKey) in
      var failed: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: StoreKey.byteCount) { memory, count in
        memory.initialize(repeating: 0)
        let result = memory.baseAddress.flatMap { start in
          callbackGuard.enter { storeKey(userData, start, memory.count) }
        }
        failed = result ?? -1
        count = memory.count
      }
      guard failed == 0 else { throw NoKey() }
      return bytes
    }
  }

  /// The error if the callback failed, or the guard is closed.
  private struct NoKey: Error {}

  /// Calls a callback of a browser session.
  ///
  /// - Returns: Whether the callback ran; false if the guard is closed.
  func call(
    _ callback: tessera_browser_callback?, _ session: OpaquePointer
  ) -> Bool {
    callbackGuard.enter { callback?(userData, session) } != nil
  }

  /// Calls a callback of a browser session with a document or a URL.
  ///
  /// - Returns: Whether the callback ran; false if the guard is closed.
  func call(
    _ callback: tessera_browser_text_callback?, _ text: String, _ session: OpaquePointer
  ) -> Bool {
    callbackGuard.enter { text.withCString { callback?(userData, $0, session) } } != nil
  }

  /// Whether the host sends the requests.
  var hasTransport: Bool { transport != nil }

  /// Sends a request with the host's callback.
  ///
  /// - Parameter request: The document "TransportRequest".
  /// - Returns: Whether the callback ran; false if the guard is closed.
  func send(_ request: UnsafePointer<CChar>, _ exchange: HostExchange) -> Bool {
    guard let transport else { return false }
    let handle = ExchangeHandle.make(exchange, (), magicNumber: ExchangeHandle.magicNumber)
    defer { _ = ExchangeHandle.free(handle, magicNumber: ExchangeHandle.magicNumber) }
    return callbackGuard.enter { transport(userData, request, handle) } != nil
  }
}

/// An observer that calls the host's callback.
private struct CallbackObserver: MetricsObserver {
  let host: HostCallbacks

  func observe(_ observation: MetricObservation) { host.observe(observation) }
}
