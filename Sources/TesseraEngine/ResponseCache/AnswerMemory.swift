// SPDX-License-Identifier: MIT
// Cache of recent responses. A hit costs one hash lookup and one copy or retain.

package import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread-safe response cache keyed by the raw request bytes.
///
/// A lookup never blocks: while a writer holds the lock, it is a miss. Each entry holds either a serialized document or an
/// object.
package struct AnswerMemory: @unchecked Sendable {
  /// The maximum size of a key, in bytes.
  ///
  /// Responses to longer requests are not cached.
  package static let maximumKeySize = 4096

  private let gate = TryReadWriteLock()
  private let table = UnsafeMutablePointer<AnswerTable>.allocate(capacity: 1)

  /// Creates an empty cache.
  ///
  /// Call ``free()`` after the last use.
  ///
  /// - Parameter capacity: The maximum total size of all entries, in bytes.
  package init(capacity: Int = 512 << 20) {
    table.initialize(to: AnswerTable(capacity: capacity))
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

  /// Returns a copy of the cached response.
  ///
  /// - Parameters:
  ///   - question: The cache key.
  ///   - time: The current time, which decides whether the entry has expired.
  ///   - isCurrent: Returns whether a store version is still the current one.
  /// - Returns: A NUL-terminated copy to be released with `free(3)`, or `nil` on a cache miss.
  package func copy(
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> UnsafeMutablePointer<CChar>? {
    let hash = AnswerTable.hash(question)
    return gate.read {
      guard let answer = table.pointee.answer(to: question, hash), answer.truth.lasts(at: time),
        isCurrent(answer.truth.version)
      else { return nil }
      let bytes = answer.bytes
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
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> AnyObject? {
    let hash = AnswerTable.hash(question)
    return gate.read {
      guard let answer = table.pointee.answer(to: question, hash), answer.truth.lasts(at: time),
        isCurrent(answer.truth.version)
      else { return nil }
      return answer.object
    }
  }

  /// Revalidates a stale entry against the current store version.
  ///
  /// `revalidated` runs without the lock, because it may access a file.
  ///
  /// - Parameter revalidated: Returns the store version for which the entry is valid now, or `nil` if it is stale.
  /// - Returns: Whether the entry is valid.
  package func renew(
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    _ revalidated: (StoreVersion) -> StoreVersion?
  ) -> Bool {
    let hash = AnswerTable.hash(question)
    let old = gate.read { table.pointee.answer(to: question, hash)?.truth }
    guard let old, old.lasts(at: time), let version = revalidated(old.version) else { return false }
    guard version != old.version else { return true }
    gate.write {
      // Another thread may have replaced the entry in the meantime.
      guard let answer = table.pointee.answer(to: question, hash),
        answer.truth.version == old.version
      else { return }
      answer.truth = answer.truth.revalidated(version)
    }
    return true
  }

  /// Caches a serialized response.
  ///
  /// Does nothing if the key is too long or the lock is held.
  ///
  /// - Parameter isRetained: Returns whether entries of a store version may still be valid. Others are evicted over time.
  package func remember(
    _ bytes: [UInt8], _ truth: AnswerTruth, answering question: UnsafeRawBufferPointer,
    at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard question.count <= AnswerMemory.maximumKeySize else { return }
    gate.write {
      let answer = bytes.withUnsafeBytes { StoredAnswer(truth, to: question, bytes: $0) }
      insert(answer, at: time, isRetained: isRetained)
    }
  }

  /// Caches an object with its approximate size in bytes.
  ///
  /// Does nothing if the key is too long or the lock is held.
  func remember(
    _ object: (AnyObject, size: Int), _ truth: AnswerTruth,
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    isRetained: (StoreVersion) -> Bool
  ) {
    guard question.count <= AnswerMemory.maximumKeySize else { return }
    gate.write {
      let answer = StoredAnswer(truth, to: question, object: object.0, size: object.size)
      insert(answer, at: time, isRetained: isRetained)
    }
  }

  private func insert(
    _ answer: StoredAnswer?, at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard let answer else { return }
    table.pointee.insert(answer, AnswerTable.hash(answer.question)) { truth in
      !truth.isOver(at: time) && isRetained(truth.version)
    }
  }
}
