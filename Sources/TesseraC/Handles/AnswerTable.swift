// SPDX-License-Identifier: MIT
// A hash table of byte strings in plain memory, without any object that readers would have to count.

import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is known of an answer besides its bytes.
struct AnswerHead {
  let version: StoreVersion
  let usableFrom: Instant
  let usableUntil: Instant
  let hash: UInt64
  let questionCount: Int
  let answerCount: Int
}

/// An answer in the table: its head, then the question's bytes, then its own.
struct StoredAnswer {
  fileprivate let memory: UnsafeMutableRawPointer

  var head: AnswerHead { memory.load(as: AnswerHead.self) }

  fileprivate var question: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<AnswerHead>.stride, count: head.questionCount)
  }

  var bytes: UnsafeRawBufferPointer {
    let head = head
    return UnsafeRawBufferPointer(
      start: memory + MemoryLayout<AnswerHead>.stride + head.questionCount, count: head.answerCount)
  }

  fileprivate var size: Int {
    let head = head
    return MemoryLayout<AnswerHead>.stride + head.questionCount + head.answerCount
  }
}

/// Answers by the bytes of their questions: open addressing, at most half full.
struct AnswerTable {
  /// Longer requests are answered, but not remembered.
  static let longestRequest = 4096

  /// Bytes that are remembered at most; then all are forgotten, and those in use come back.
  private static let capacity = 512 << 20

  private var slots: [UnsafeMutableRawPointer?] = Array(repeating: nil, count: 64)
  private var count = 0
  private var bytes = 0
  private var version: StoreVersion?

  /// The answer to a question.
  func answer(to question: UnsafeRawBufferPointer, _ hash: UInt64) -> StoredAnswer? {
    guard let memory = slots[slot(of: question, hash)] else { return nil }
    return StoredAnswer(memory: memory)
  }

  /// Puts an answer in place of an older one.
  mutating func insert(_ head: AnswerHead, _ question: UnsafeRawBufferPointer, _ answer: [UInt8]) {
    let size = MemoryLayout<AnswerHead>.stride + question.count + answer.count
    // A commit has made every older answer untrue.
    if bytes + size > AnswerTable.capacity || version != head.version { removeAll() }
    version = head.version
    if count * 2 >= slots.count { grow() }
    guard let memory = malloc(size) else { return }
    memory.storeBytes(of: head, as: AnswerHead.self)
    let body = memory + MemoryLayout<AnswerHead>.stride
    if let start = question.baseAddress { body.copyMemory(from: start, byteCount: question.count) }
    answer.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      (body + question.count).copyMemory(from: start, byteCount: source.count)
    }
    let slot = slot(of: question, head.hash)
    if let old = slots[slot] { release(old) }
    slots[slot] = memory
    count += 1
    bytes += size
  }

  /// Forgets everything, and overwrites it: these are tokens.
  mutating func removeAll() {
    for case let memory? in slots { release(memory) }
    slots = Array(repeating: nil, count: 64)
  }

  private mutating func release(_ memory: UnsafeMutableRawPointer) {
    let size = StoredAnswer(memory: memory).size
    bytes -= size
    count -= 1
    memset(memory, 0, size)
    free(memory)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    for case let memory? in old {
      let answer = StoredAnswer(memory: memory)
      slots[slot(of: answer.question, answer.head.hash)] = memory
    }
  }

  /// The slot that holds a question, or the free one where it belongs.
  private func slot(of question: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = UInt64(slots.count - 1)
    var index = hash & mask
    while let memory = slots[Int(index)] {
      let answer = StoredAnswer(memory: memory)
      if answer.head.hash == hash, answer.question.elementsEqual(question) { break }
      index = (index + 1) & mask
    }
    return Int(index)
  }

  /// A hash of eight bytes at a time; collisions only cost a comparison.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mixed(hash, rest)
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
