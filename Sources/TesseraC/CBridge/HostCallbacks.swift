// SPDX-License-Identifier: MIT
// Functions of the host, wrapped so that Swift can call them.

import CTessera
import TesseraEngine

/// The host's functions with their contexts, which the host promises to be usable from any thread.
struct HostFunctions: @unchecked Sendable {
  private let log: tessera_log_callback?
  private let logContext: UnsafeMutableRawPointer?
  private let storeKey: tessera_store_key_callback?
  private let storeKeyContext: UnsafeMutableRawPointer?
  /// The way to them, which the end of the application closes.
  let access = CallbackGuard()

  /// The size of the first version of the structure; programs that were built with it know no more members.
  private static let firstSize = MemoryLayout<(Int, Int, Int)>.size
  /// The size of the version with a key.
  private static let keySize = MemoryLayout<(Int, Int, Int, Int, Int)>.size

  /// The functions of a host; none without a host.
  ///
  /// - Throws: `fixRequest` when the structure is smaller than the first version of it.
  init(_ host: UnsafePointer<tessera_host>?) throws(TesseraError) {
    let size = host?.pointee.size ?? 0
    guard host == nil || size >= HostFunctions.firstSize else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->size must be sizeof(tessera_host).")
    }
    let hasKey = size >= HostFunctions.keySize
    log = host?.pointee.log
    logContext = host?.pointee.log_context
    storeKey = hasKey ? host?.pointee.store_key : nil
    storeKeyContext = hasKey ? host?.pointee.store_key_context : nil
  }

  /// A log that goes to the host; nil if it wants none.
  func log(level: LogLevel) -> Log? {
    guard let log else { return nil }
    return Log(level: level) { level, message in
      access.enter { message.withCString { log(logContext, level.rawValue, $0) } }
    }
  }

  /// The key that the host keeps; nil if it keeps none.
  var key: StoreKey? {
    guard let storeKey else { return nil }
    return StoreKey { () throws(NoKey) in
      var failed: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: StoreKey.byteCount) { memory, count in
        memory.initialize(repeating: 0)
        let answer = memory.baseAddress.flatMap { start in
          access.enter { storeKey(storeKeyContext, start, memory.count) }
        }
        failed = answer ?? -1
        count = memory.count
      }
      guard failed == 0 else { throw NoKey() }
      return bytes
    }
  }

  /// The host has no key now.
  private struct NoKey: Error {}
}
