// SPDX-License-Identifier: MIT
// The answers of recent requests: a hit is a look-up and a copy, or one more reference.

package import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Answers by the bytes of their questions, for many threads.
///
/// Readers never wait, and find nothing while somebody writes; then the answer is made anew. It holds each answer in one
/// form: as the bytes of a document, or as an object.
package struct AnswerMemory: @unchecked Sendable {
  /// Longer questions are answered, but not remembered.
  package static let longestQuestion = 4096

  private let gate = TryReadWriteLock()
  private let table = UnsafeMutablePointer<AnswerTable>.allocate(capacity: 1)

  /// An empty memory of so many bytes at most; end it with ``free()``.
  package init(capacity: Int = 512 << 20) {
    table.initialize(to: AnswerTable(capacity: capacity))
  }

  /// Gives back everything.
  package func free() {
    table.pointee.free()
    table.deinitialize(count: 1)
    table.deallocate()
    gate.free()
  }

  /// A copy of the answer to a question, with a zero after it, for the caller to free.
  ///
  /// - Parameter isCurrent: whether a state of the store still is the one there.
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

  /// The object that answers a question.
  ///
  /// - Parameter isCurrent: whether a state of the store still is the one there.
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

  /// Whether the answer to a question that is not current is true all the same.
  ///
  /// The store is asked while nobody is kept from reading: it may take a look at a file.
  ///
  /// - Parameter renewed: for which state of the store it is true from now on; nil if it is not.
  package func renew(
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    _ renewed: (StoreVersion) -> StoreVersion?
  ) -> Bool {
    let hash = AnswerTable.hash(question)
    let old = gate.read { table.pointee.answer(to: question, hash)?.truth }
    guard let old, old.lasts(at: time), let version = renewed(old.version) else { return false }
    guard version != old.version else { return true }
    gate.write {
      // Somebody may have put another one in its place meanwhile.
      guard let answer = table.pointee.answer(to: question, hash),
        answer.truth.version == old.version
      else { return }
      answer.truth = answer.truth.renewed(version)
    }
    return true
  }

  /// Remembers an answer of bytes.
  ///
  /// - Parameter isOfUse: whether a state of the store still is the one there, or may be; others are forgotten in time.
  package func remember(
    _ bytes: [UInt8], _ truth: AnswerTruth, answering question: UnsafeRawBufferPointer,
    at time: ClockReading, isOfUse: (StoreVersion) -> Bool
  ) {
    guard question.count <= AnswerMemory.longestQuestion else { return }
    gate.write {
      let answer = bytes.withUnsafeBytes { StoredAnswer(truth, to: question, bytes: $0) }
      insert(answer, at: time, isOfUse: isOfUse)
    }
  }

  /// Remembers an object that takes about so many bytes.
  func remember(
    _ object: (AnyObject, size: Int), _ truth: AnswerTruth,
    answering question: UnsafeRawBufferPointer, at time: ClockReading,
    isOfUse: (StoreVersion) -> Bool
  ) {
    guard question.count <= AnswerMemory.longestQuestion else { return }
    gate.write {
      let answer = StoredAnswer(truth, to: question, object: object.0, size: object.size)
      insert(answer, at: time, isOfUse: isOfUse)
    }
  }

  private func insert(
    _ answer: StoredAnswer?, at time: ClockReading, isOfUse: (StoreVersion) -> Bool
  ) {
    guard let answer else { return }
    table.pointee.insert(answer, AnswerTable.hash(answer.question)) { truth in
      !truth.isOver(at: time) && isOfUse(truth.version)
    }
  }
}
