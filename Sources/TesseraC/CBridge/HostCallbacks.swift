// SPDX-License-Identifier: MIT
// Swift wrappers of the host's callbacks.

import CTessera
import TesseraEngine

/// The host's callbacks with their contexts.
///
/// The host guarantees that they are safe to call from any thread.
struct HostCallbacks: @unchecked Sendable {
  private let log: tessera_log_callback?
  private let logContext: UnsafeMutableRawPointer?
  private let storeKey: tessera_store_key_callback?
  private let storeKeyContext: UnsafeMutableRawPointer?
  /// The guard of the callbacks.
  ///
  /// It is closed when the application is freed.
  let callbackGuard = CallbackGuard()

  /// The size of the first version of `tessera_host`.
  ///
  /// Programs compiled with that version have no later members.
  private static let firstSize = MemoryLayout<(Int, Int, Int)>.size
  /// The size of the version that added `store_key` and `store_key_context`.
  private static let keySize = MemoryLayout<(Int, Int, Int, Int, Int)>.size

  /// Copies the callbacks of a host; without a host, there are none.
  ///
  /// - Throws: `fixRequest` if the structure is smaller than its first version.
  init(_ host: UnsafePointer<tessera_host>?) throws(TesseraError) {
    let size = host?.pointee.size ?? 0
    guard host == nil || size >= HostCallbacks.firstSize else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->size must be sizeof(tessera_host).")
    }
    let hasKey = size >= HostCallbacks.keySize
    log = host?.pointee.log
    logContext = host?.pointee.log_context
    storeKey = hasKey ? host?.pointee.store_key : nil
    storeKeyContext = hasKey ? host?.pointee.store_key_context : nil
  }

  /// Returns a log that calls the host's log callback; nil without a callback.
  func log(level: TesseraLog.Level, includesPII: Bool) -> TesseraLog? {
    guard let log else { return nil }
    return TesseraLog(level: level, includesPII: includesPII) { level, message in
      callbackGuard.enter { message.withCString { log(logContext, level.rawValue, $0) } }
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
          callbackGuard.enter { storeKey(storeKeyContext, start, memory.count) }
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
}
