// SPDX-License-Identifier: MIT
// An entry of the response cache: one allocation with a header, the key, and the serialized response or a reference.

import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An entry of the response cache in one allocation: the header, the key, and the serialized response.
struct StoredAnswer {
  private struct Head {
    var truth: AnswerTruth
    /// The response as a retained object; `nil` for a serialized response.
    let object: Unmanaged<AnyObject>?
    /// The approximate size of the object, in bytes.
    let objectSize: Int
    let questionCount: Int
    let answerCount: Int
  }

  private let memory: UnsafeMutableRawPointer

  /// Creates an entry with a serialized response.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ truth: AnswerTruth, to question: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    self.init(truth, question, bytes, nil, 0)
  }

  /// Creates an entry with an object.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ truth: AnswerTruth, to question: UnsafeRawBufferPointer, object: AnyObject, size: Int
  ) {
    self.init(truth, question, UnsafeRawBufferPointer(start: nil, count: 0), object, size)
  }

  private init?(
    _ truth: AnswerTruth, _ question: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
    _ object: AnyObject?, _ objectSize: Int
  ) {
    guard let memory = malloc(MemoryLayout<Head>.stride + question.count + bytes.count) else {
      return nil
    }
    self.memory = memory
    let head = Head(
      truth: truth, object: object.map(Unmanaged.passRetained), objectSize: objectSize,
      questionCount: question.count, answerCount: bytes.count)
    memory.storeBytes(of: head, as: Head.self)
    let body = memory + MemoryLayout<Head>.stride
    if let start = question.baseAddress { body.copyMemory(from: start, byteCount: question.count) }
    if let start = bytes.baseAddress {
      (body + question.count).copyMemory(from: start, byteCount: bytes.count)
    }
  }

  /// Overwrites the memory, which contains tokens, and frees it.
  func release() {
    head.object?.release()
    let size = MemoryLayout<Head>.stride + head.questionCount + head.answerCount
    KeyMaterial.overwrite(UnsafeMutableRawBufferPointer(start: memory, count: size))
    free(memory)
  }

  private var head: Head {
    @inline(__always) get { memory.assumingMemoryBound(to: Head.self).pointee }
  }

  /// The validity of the response.
  var truth: AnswerTruth {
    get { memory.assumingMemoryBound(to: Head.self).pointee.truth }
    nonmutating set { memory.assumingMemoryBound(to: Head.self).pointee.truth = newValue }
  }

  /// The approximate size of the entry including the object, in bytes.
  var size: Int {
    MemoryLayout<Head>.stride + head.questionCount + head.answerCount + head.objectSize
  }

  /// Whether the entry has a key.
  @inline(__always)
  func answers(_ question: UnsafeRawBufferPointer) -> Bool {
    let own = self.question
    guard own.count == question.count, let one = own.baseAddress, let other = question.baseAddress
    else { return own.count == question.count }
    return memcmp(one, other, own.count) == 0
  }

  /// The bytes of the key.
  var question: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride, count: head.questionCount)
  }

  /// The bytes of the serialized response.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride + head.questionCount, count: head.answerCount)
  }

  /// The object of the response, retained for the caller; `nil` for a serialized response.
  var object: AnyObject? { head.object?.takeUnretainedValue() }
}
