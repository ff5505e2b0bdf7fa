// SPDX-License-Identifier: MIT
// The token store of the host application, as a store of the engine.

import CTessera
import TesseraEngine
import TesseraWire

/// A store that calls the host's callbacks.
///
/// The host guarantees that they are safe to call from any thread.
struct CallbackStore: @unchecked Sendable {
  private let callbacks: tessera_host_store
  private let userData: UnsafeMutableRawPointer?
  private let callbackGuard: CallbackGuard

  /// The size of the first version of `tessera_host_store`.
  ///
  /// Programs compiled with that version have no later members.
  private static let firstSize = MemoryLayout<(Int, Int, Int, Int, Int, Int)>.size

  /// Copies the callbacks of a store.
  ///
  /// - Throws: `fixRequest` if a required callback is missing.
  init(
    _ store: UnsafePointer<tessera_host_store>, _ userData: UnsafeMutableRawPointer?,
    _ callbackGuard: CallbackGuard
  ) throws(TesseraError) {
    guard store.pointee.size >= CallbackStore.firstSize else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->store->size must be sizeof(tessera_host_store).")
    }
    guard store.pointee.read != nil, store.pointee.write != nil else {
      throw TesseraError(
        .fixRequest, .missingParameter, "host->store requires the callbacks read and write.")
    }
    guard (store.pointee.lock == nil) == (store.pointee.unlock == nil) else {
      throw TesseraError(
        .fixRequest, .missingParameter,
        "host->store requires both callbacks lock and unlock, or neither."
      )
    }
    callbacks = store.pointee
    self.userData = userData
    self.callbackGuard = callbackGuard
  }

  /// The error of a callback.
  fileprivate struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Calls a callback, which returns a number.
  ///
  /// - Throws: An error if the application was freed.
  private func call(_ body: () -> Int32) throws -> Int32 {
    guard let result = callbackGuard.enter(body) else {
      throw Failure(description: "the application was freed")
    }
    return result
  }

  private static func failed(_ name: String, _ result: Int32) -> Failure {
    Failure(description: "the callback \(name) of the host application returned \(result)")
  }

  private static func milliseconds(_ timeout: Duration) -> Int64 {
    // Many functions interpret 0 as no timeout.
    max(timeout.wholeMilliseconds, 1)
  }
}

extension CallbackStore: HostStore {
  func read(_ partition: String, timeout: Duration) throws -> HostPartition? {
    guard let read = callbacks.read else { return nil }
    let contents = HostContents()
    let handle = ContentsHandle.make(contents, (), magicNumber: ContentsHandle.magicNumber)
    defer { _ = ContentsHandle.free(handle, magicNumber: ContentsHandle.magicNumber) }
    let result = try call {
      partition.withCString { read(userData, $0, CallbackStore.milliseconds(timeout), handle) }
    }
    guard result == 0 else { throw CallbackStore.failed("read", result) }
    return try contents.partition
  }

  func write(
    _ bytes: [UInt8], to partition: String, expecting expectedVersion: UInt64, timeout: Duration
  ) throws -> HostWriteResult {
    guard let write = callbacks.write else { return .conflict }
    let result = try call {
      bytes.withUnsafeBufferPointer { bytes in
        // An empty array may have no address.
        withUnsafePointer(to: UInt8(0)) { empty in
          partition.withCString { name in
            write(
              userData, name, bytes.baseAddress ?? empty, bytes.count, expectedVersion,
              CallbackStore.milliseconds(timeout))
          }
        }
      }
    }
    switch Int(result) {
    case TESSERA_STORE_COMMITTED: return .committed
    case TESSERA_STORE_CONFLICT: return .conflict
    default: throw CallbackStore.failed("write", result)
    }
  }

  func version(of partition: String) -> UInt64? {
    guard let version = callbacks.version else { return nil }
    var found: UInt64 = 0
    let result = callbackGuard.enter {
      partition.withCString { version(userData, $0, &found) }
    }
    return result == 0 ? found : nil
  }

  var locks: (any HostLocks)? { callbacks.lock == nil ? nil : self }
}

extension CallbackStore: HostLocks {
  func lock(_ credential: String, timeout: Duration) throws -> Bool {
    guard let lock = callbacks.lock else { return true }
    let result = try call {
      let result = credential.withCString {
        lock(userData, $0, CallbackStore.milliseconds(timeout))
      }
      if Int(result) == TESSERA_LOCK_ACQUIRED { callbackGuard.stay() }
      return result
    }
    switch Int(result) {
    case TESSERA_LOCK_ACQUIRED: return true
    case TESSERA_LOCK_BUSY: return false
    default: throw CallbackStore.failed("lock", result)
    }
  }

  func unlock(_ credential: String) {
    guard let unlock = callbacks.unlock else { return }
    callbackGuard.enter { credential.withCString { unlock(userData, $0) } }
    callbackGuard.leave()
  }
}

/// The contents of a partition, which the host passes from its read callback.
final class HostContents: Sendable {
  /// The maximum size of a partition, above that of any partition that the library writes.
  private static let maximumBytes = 128 << 20

  private let state = SpinLock<Result<HostPartition, CallbackStore.Failure>?>(nil)

  /// The contents; nil if the host has passed none.
  ///
  /// - Throws: An error if the host passed no valid contents. They are not taken for damaged or empty ones.
  var partition: HostPartition? { get throws { try state.withLock { $0 }?.get() } }

  /// Stores the first contents of the host.
  func set(_ bytes: UnsafePointer<UInt8>?, size: Int, version: UInt64) {
    let contents: Result<HostPartition, CallbackStore.Failure> =
      if bytes == nil, size != 0 {
        .failure(.init(description: "the callback read passed NULL as bytes"))
      } else if !(0...HostContents.maximumBytes).contains(size) {
        .failure(.init(description: "the callback read passed a size of \(size) bytes"))
      } else if version == 0 {
        .failure(.init(description: "the callback read passed version 0 of existing contents"))
      } else {
        .success(
          HostPartition([UInt8](UnsafeBufferPointer(start: bytes, count: size)), version: version))
      }
    state.withLock { $0 = $0 ?? contents }
  }
}

/// The handle of the contents of a partition.
typealias ContentsHandle = Handle<HostContents, Void>

extension Handle where Object == HostContents, Extra == Void {
  /// The magic number of a contents handle: "TESSCONT" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_434F_4E54 }
}
