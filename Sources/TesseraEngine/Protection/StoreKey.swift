// SPDX-License-Identifier: MIT
// The key of a store.

import CLibrary
import TesseraWire

/// An encryption key that the application provides, as bytes or by a function.
///
/// Its description is `<redacted>`. A store that was created with it can only be opened with it, so protect it like a
/// password.
public struct StoreKey: Sendable {
  /// The size of a key, in bytes.
  public static let byteCount = 32

  private enum Origin: Sendable {
    case bytes(KeyMaterial)
    case function(@Sendable () throws -> [UInt8])
  }

  private let origin: Origin

  /// Creates a key from ``byteCount`` random bytes.
  ///
  /// A password is not suitable.
  public init(_ bytes: [UInt8]) {
    origin = .bytes(KeyMaterial(bytes))
  }

  /// Creates a key that is provided by a function when it is first needed.
  ///
  /// The function is called on the thread of the call that needs the key. It is not called again after it has returned a
  /// key.
  ///
  /// - Parameter function: Returns ``byteCount`` bytes, or throws if the key is unavailable. Then nothing is read or
  ///   written, and the call fails with `key_unavailable`.
  public init(from function: @escaping @Sendable () throws -> [UInt8]) {
    origin = .function(function)
  }

  /// Whether the size of the given bytes is valid; `true` for a function.
  package var isUsable: Bool {
    guard case .bytes(let material) = origin else { return true }
    return material.count == StoreKey.byteCount
  }

  /// Returns the key.
  ///
  /// Returns `nil` if the function throws or returns an invalid key.
  package func material() -> KeyMaterial? {
    switch origin {
    case .bytes(let material): return material.count == StoreKey.byteCount ? material : nil
    case .function(let function):
      guard var bytes = try? function() else { return nil }
      defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
      return bytes.count == StoreKey.byteCount ? KeyMaterial(bytes) : nil
    }
  }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<redacted>`.
  public var description: String { "<redacted>" }

  /// Always `<redacted>`.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` and a debugger show no key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The bytes of a key.
///
/// They are in a separate allocation, are never copied by the runtime, and are overwritten before the memory is freed.
package final class KeyMaterial: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// Copies the bytes.
  ///
  /// The caller must clear the array.
  package init(_ bytes: [UInt8]) {
    buffer = .allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyBytes(from: bytes)
  }

  deinit {
    KeyMaterial.overwrite(buffer)
    buffer.deallocate()
  }

  /// The number of bytes.
  package var count: Int { buffer.count }

  /// Calls `body` with the bytes, which are valid only during the call.
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(buffer))
  }

  /// Overwrites memory in a way that the compiler does not optimize out.
  package static func overwrite(_ memory: UnsafeMutableRawBufferPointer) {
    memory.overwrite()
  }
}

extension KeyMaterial: Equatable {
  /// Whether two keys are equal, compared in constant time.
  package static func == (left: KeyMaterial, right: KeyMaterial) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.buffer, right.buffer).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension KeyMaterial: CustomStringConvertible, CustomReflectable {
  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A failed attempt to use a key source.
public struct KeyAttempt: Sendable, Hashable {
  /// The kind of problem.
  public enum Problem: String, Sendable, Hashable, CaseIterable {
    /// The required client library is not installed.
    case libraryMissing = "library_missing"
    /// There is no session bus, or it denies access to this process.
    case noBus = "no_bus"
    /// There is no secret service on the bus.
    case noService = "no_service"
    /// The service has no default collection.
    case noCollection = "no_collection"
    /// The collection is locked.
    ///
    /// Tessera never shows a prompt.
    case locked
    /// The service did not respond in time.
    case timeout
    /// The operating system denies access.
    case blocked
    /// The source is full.
    case full
    /// A file or directory has an unsafe owner, mode or location.
    case unsafe
    /// The source is available, but does not have the key.
    case keyMissing = "key_missing"
    /// The source has a different key than the one that encrypts the store.
    case otherKey = "other_key"
    /// The source does not satisfy the storage policy.
    case policy
    /// Any other error; see the reason.
    case failed
  }

  /// The key source.
  public let source: KeySource
  /// The kind of problem.
  public let problem: Problem
  /// A description of the problem for developers.
  public let reason: String

  /// Creates a failed attempt.
  public init(source: KeySource, problem: Problem, reason: String) {
    self.source = source
    self.problem = problem
    self.reason = reason
  }
}

extension KeyAttempt {
  /// The source and the reason, for the log and for messages.
  package var text: String { "\(source.displayName): \(reason)" }

  fileprivate var cause: TesseraError.Cause {
    TesseraError.Cause(.keySource, code: problem.rawValue, text)
  }
}

extension [KeyAttempt] {
  /// All attempts, for the log and for messages.
  package var text: String { map(\.text).joined(separator: "; ") }
}

extension KeySource {
  /// The name of the source for messages, such as "the key file".
  public var displayName: String {
    switch self {
    case .caller: "the application"
    case .secretService: "the Secret Service"
    case .kernelKeyring: "the kernel keyring"
    case .keyFile: "the key file"
    }
  }

  /// The advice for a source that does not have the key of an existing store.
  fileprivate var advice: String {
    switch self {
    case .caller: "Pass the store.key with which the store was created."
    case .secretService: "Run the application in the desktop session, and unlock the keyring."
    case .kernelKeyring:
      "The kernel keyring is cleared on reboot. In that case, move the files of the store to another directory, and sign in again."
    case .keyFile:
      "Restore the file. If it is lost, move the files of the store to another directory, and sign in again."
    }
  }
}

extension TesseraError {
  /// Returns the error for an unavailable key of an existing store.
  package static func keyUnavailable(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      "The encryption key is not available from \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for an unavailable keyring in which another application stores its cache.
  ///
  /// - Parameter signal: The file with the modification time that signals changes. It may be all that is left of the cache.
  package static func keyringUnavailable(_ attempt: KeyAttempt, signal: String) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      """
      The cache is not available from \(attempt.text). \(attempt.source.advice) Nothing was changed. The file \
      \(signal) only signals changes of the cache. If that file is empty and the keyring no longer contains the cache, \
      delete the file.
      """
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a source with a different key than the one that encrypts the store.
  package static func otherKey(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .cacheUndecryptable,
      "The store is encrypted with a different key than that of \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a policy that no available source satisfies.
  package static func encryptionUnavailable(
    _ policy: StoragePolicy, _ what: String, _ advice: String
  ) -> TesseraError {
    TesseraError(
      .fixStorage, .encryptionUnavailable,
      "\(what), but store.policy is \"\(policy.rawValue)\". \(advice)")
  }
}

extension TesseraError {
  /// The error for an application that provides the key itself and passed no new one.
  package static var newKeyMissing: TesseraError {
    TesseraError(
      .fixRequest, .missingParameter,
      "The application provides the key of the store: pass the new key as new_store_key. Nothing was changed."
    )
  }

  /// The error for a new key that equals the old one.
  package static var keyIsTheSame: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key is already the key of the store: pass a different key. Nothing was changed.")
  }

  /// The error for a new key from an application that does not provide the key itself.
  package static var newKeyNotWanted: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "new_store_key requires store.key in the configuration: remove new_store_key, or configure store.key."
    )
  }

  /// Returns the error for a store that is not encrypted with the application's ``StoreKey``, because an attacker could
  /// have created it.
  ///
  /// - Parameter source: The source of the store's key; `nil` for an unencrypted store.
  package static func untrustedStore(_ source: KeySource?) -> TesseraError {
    let what = source.map { "Its key is in \($0.displayName)" } ?? "It is not encrypted"
    let advice =
      source.map { "add \"\($0.rawValue)\" to store.key_sources, and rotate the key" }
      ?? "set store.key_sources"
    return TesseraError(
      .fixStorage, .encryptionUnavailable,
      "The store is not encrypted with a store.key. \(what), so any process with write access to its files could have created it. If you trust the store, \(advice). Otherwise, move its files to another directory, and sign in again. Nothing was changed."
    )
  }
}
