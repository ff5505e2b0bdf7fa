// SPDX-License-Identifier: MIT
// Cache of recent responses. A hit costs one hash lookup and one copy or retain.

import CLibrary
package import TesseraCache
import TesseraWire

/// The response cache of an application, keyed by the bytes of the request.
///
/// The Swift interface stores results as objects, and the C interface stores serialized documents. Keys of the Swift interface
/// are not valid UTF-8, so they differ from the keys of valid JSON requests. A lookup never blocks: while a writer holds the
/// lock, it is a miss.
package struct ResponseCache: @unchecked Sendable {
  /// The maximum size of a key, in bytes.
  ///
  /// Responses to longer requests are not cached.
  package static let maximumKeySize = 4096

  private let gate = TryReadWriteLock()
  private let table = UnsafeMutablePointer<ResponseTable>.allocate(capacity: 1)

  /// Creates an empty cache.
  ///
  /// Call ``free()`` after the last use.
  ///
  /// - Parameter capacity: The maximum total size of all entries, in bytes.
  package init(capacity: Int = 512 << 20) {
    table.initialize(to: ResponseTable(capacity: capacity))
  }

  /// Frees all entries and the memory of the cache.
  ///
  /// No thread may use the cache afterwards.
  package func free() {
    table.pointee.free()
    table.deinitialize(count: 1)
    table.deallocate()
    gate.free()
  }

  /// Returns a copy of the cached response, if it is serialized.
  ///
  /// - Parameters:
  ///   - key: The cache key.
  ///   - time: The current time, which decides whether the entry has expired.
  ///   - isCurrent: Returns whether a store version is still the current one.
  /// - Returns: A NUL-terminated copy to be released with `free(3)`, or `nil` on a cache miss.
  package func copy(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> UnsafeMutablePointer<CChar>? {
    let hash = ResponseTable.hash(key)
    return gate.read {
      guard let entry = table.pointee.entry(for: key, hash), entry.isSerialized,
        entry.validity.lasts(at: time), isCurrent(entry.validity.version)
      else { return nil }
      let bytes = entry.bytes
      guard let copy = malloc(bytes.count + 1) else { return nil }
      if let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
      copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
      return copy.assumingMemoryBound(to: CChar.self)
    }
  }

  /// Returns the cached object.
  ///
  /// - Parameter isCurrent: Returns whether a store version is still the current one.
  /// - Returns: The object, or `nil` on a cache miss.
  func object(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> AnyObject? {
    let hash = ResponseTable.hash(key)
    return gate.read {
      guard let entry = table.pointee.entry(for: key, hash), entry.validity.lasts(at: time),
        isCurrent(entry.validity.version)
      else { return nil }
      return entry.object
    }
  }

  /// Revalidates a stale entry against the current store version.
  ///
  /// `revalidated` runs without the lock, because it may access a file.
  ///
  /// - Parameter revalidated: Returns the store version for which the entry is valid now, or `nil` if it is stale.
  /// - Returns: Whether the entry is valid.
  package func revalidate(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    _ revalidated: (StoreVersion) -> StoreVersion?
  ) -> Bool {
    let hash = ResponseTable.hash(key)
    let old = gate.read { table.pointee.entry(for: key, hash)?.validity }
    guard let old, old.lasts(at: time), let version = revalidated(old.version) else { return false }
    guard version != old.version else { return true }
    gate.write {
      // Another thread may have replaced the entry in the meantime.
      guard let entry = table.pointee.entry(for: key, hash),
        entry.validity.version == old.version
      else { return }
      entry.validity = entry.validity.revalidated(version)
    }
    return true
  }

  /// Caches a serialized response.
  ///
  /// Does nothing if the key is too long or the lock is held.
  ///
  /// - Parameter isRetained: Returns whether entries of a store version may still be valid. Others are evicted over time.
  package func store(
    _ bytes: [UInt8], _ validity: ResponseValidity, for key: UnsafeRawBufferPointer,
    at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard key.count <= ResponseCache.maximumKeySize else { return }
    gate.write {
      let entry = bytes.withUnsafeBytes { CachedResponse(validity, for: key, bytes: $0) }
      insert(entry, at: time, isRetained: isRetained)
    }
  }

  /// Caches an object with its approximate size in bytes.
  ///
  /// Does nothing if the key is too long or the lock is held.
  func store(
    _ object: (AnyObject, size: Int), _ validity: ResponseValidity,
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isRetained: (StoreVersion) -> Bool
  ) {
    guard key.count <= ResponseCache.maximumKeySize else { return }
    gate.write {
      let entry = CachedResponse(validity, for: key, object: object.0, size: object.size)
      insert(entry, at: time, isRetained: isRetained)
    }
  }

  private func insert(
    _ entry: CachedResponse?, at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard let entry else { return }
    table.pointee.insert(entry, ResponseTable.hash(entry.key)) { validity in
      !validity.isOver(at: time) && isRetained(validity.version)
    }
  }
}
