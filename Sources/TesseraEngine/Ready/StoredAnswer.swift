// SPDX-License-Identifier: MIT
// One remembered answer: a piece of memory with its truth, the question's bytes, and its own bytes or object.

import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An answer in memory of its own: a head, then the question's bytes, then the answer's.
struct StoredAnswer {
  private struct Head {
    var truth: AnswerTruth
    /// The answer as an object, which belongs to this; nil for one of bytes.
    let object: Unmanaged<AnyObject>?
    /// What the object is reckoned to take.
    let objectSize: Int
    let questionCount: Int
    let answerCount: Int
  }

  private let memory: UnsafeMutableRawPointer

  /// An answer of bytes; nil when memory ran out.
  init?(
    _ truth: AnswerTruth, to question: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    self.init(truth, question, bytes, nil, 0)
  }

  /// An answer that is an object; nil when memory ran out.
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

  /// Gives back the memory, and overwrites it: these are tokens.
  func release() {
    head.object?.release()
    let size = MemoryLayout<Head>.stride + head.questionCount + head.answerCount
    KeyMaterial.overwrite(UnsafeMutableRawBufferPointer(start: memory, count: size))
    free(memory)
  }

  private var head: Head {
    @inline(__always) get { memory.assumingMemoryBound(to: Head.self).pointee }
  }

  /// When it is true.
  var truth: AnswerTruth {
    get { memory.assumingMemoryBound(to: Head.self).pointee.truth }
    nonmutating set { memory.assumingMemoryBound(to: Head.self).pointee.truth = newValue }
  }

  /// What it takes, with the object.
  var size: Int {
    MemoryLayout<Head>.stride + head.questionCount + head.answerCount + head.objectSize
  }

  /// Whether it is the answer to a question.
  @inline(__always)
  func answers(_ question: UnsafeRawBufferPointer) -> Bool {
    let own = self.question
    guard own.count == question.count, let one = own.baseAddress, let other = question.baseAddress
    else { return own.count == question.count }
    return memcmp(one, other, own.count) == 0
  }

  /// The question's bytes.
  var question: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride, count: head.questionCount)
  }

  /// The answer's bytes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride + head.questionCount, count: head.answerCount)
  }

  /// The answer's object, counted for the caller.
  var object: AnyObject? { head.object?.takeUnretainedValue() }
}
