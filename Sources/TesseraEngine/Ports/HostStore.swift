// SPDX-License-Identifier: MIT
// The port to the token store of a host application.

/// A token store of a host application, such as a table of its own database.
///
/// The store keeps the bytes of named partitions. The library encrypts the bytes, and merges the changes of
/// several processes. The store compares versions only. All functions run on the thread of the call, on several threads
/// at the same time, and must not call functions of the same application.
///
/// An error of a function makes the store unavailable for that call. A token that was received is then kept in memory,
/// and stored by a later call.
public protocol HostStore: Sendable {
  /// Returns the contents of a partition; `nil` if the partition does not exist.
  ///
  /// - Parameter timeout: The time after which the function should have thrown an error.
  func read(_ partition: String, timeout: Duration) throws -> HostPartition?

  /// Replaces the contents of a partition if its version is still the expected one.
  ///
  /// The write is an atomic compare-and-swap, and the new contents are durable when the function returns.
  ///
  /// - Parameters:
  ///   - bytes: The new contents. They get a new version, which was never used before in this partition.
  ///   - expectedVersion: The version of the contents that are replaced; 0 if the partition must not exist yet.
  ///   - timeout: The time after which the function should have thrown an error.
  /// - Returns: `conflict` if the partition has another version. Nothing was changed then.
  func write(
    _ bytes: [UInt8], to partition: String, expecting expectedVersion: UInt64, timeout: Duration
  ) throws -> HostWriteResult

  /// Returns the current version of a partition; 0 if the partition does not exist.
  ///
  /// Called for each cached token, so it must not block. `nil` if the version cannot be determined so quickly, as by
  /// default: each call then reads the partition.
  func version(of partition: String) -> UInt64?

  /// The locks of the store; `nil` for none, as by default.
  ///
  /// Without locks, several processes may refresh the same token at the same time.
  var locks: (any HostLocks)? { get }
}

extension HostStore {
  /// Returns `nil`: each call reads the partition.
  public func version(of partition: String) -> UInt64? { nil }

  /// `nil`: the store has no locks.
  public var locks: (any HostLocks)? { nil }
}

/// The contents of a partition of a host application's store.
public struct HostPartition: Sendable {
  /// The bytes that were written last.
  public var bytes: [UInt8]
  /// The version, which changes with each write; not 0.
  public var version: UInt64

  /// Creates the contents of a partition.
  public init(_ bytes: [UInt8], version: UInt64) {
    self.bytes = bytes
    self.version = version
  }
}

/// The result of a write to a host application's store.
public enum HostWriteResult: Sendable, Hashable {
  /// The contents were replaced.
  case committed
  /// The partition has another version than the expected one.
  case conflict
}

/// The locks of a host application's store, so that one process at a time refreshes a token.
public protocol HostLocks: Sendable {
  /// Acquires the lock of a credential.
  ///
  /// The lock must be released automatically when its process exits, as with `flock`. Otherwise later processes time out.
  ///
  /// - Parameters:
  ///   - credential: The name of the lock: up to 16 letters and digits.
  ///   - timeout: The time to wait for another holder, at most 100 milliseconds. The library calls the function again.
  /// - Returns: `false` if another process or thread still holds the lock.
  func lock(_ credential: String, timeout: Duration) throws -> Bool

  /// Releases a lock, on the thread that acquired it.
  func unlock(_ credential: String)
}
