// SPDX-License-Identifier: MIT
// The answers of recent requests, ready as bytes: a hit is a look-up and a copy.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Answers by the bytes of their requests.
///
/// Readers never wait: each counts itself in on a cache line of its own and gives up when somebody writes. A writer
/// gives up when readers do not leave soon, as after a fork() in the middle of a hit; then the engine answers instead.
struct AnswerMemory: @unchecked Sendable {
  private let gate = ReaderGate()
  private let table = UnsafeMutablePointer<AnswerTable>.allocate(capacity: 1)

  /// An empty memory; end it with ``free()``.
  init() {
    table.initialize(to: AnswerTable())
  }

  /// Gives back everything.
  func free() {
    table.pointee.removeAll()
    table.deinitialize(count: 1)
    table.deallocate()
    gate.free()
  }

  /// A copy of the answer to a request, if it is still true.
  func answer(
    to request: UnsafePointer<CChar>, version: StoreVersion?, now: Instant
  ) -> UnsafeMutablePointer<CChar>? {
    guard let version else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: request, count: strnlen(request, AnswerTable.longestRequest + 1))
    let hash = AnswerTable.hash(bytes)
    return gate.read {
      guard let answer = table.pointee.answer(to: bytes, hash), answer.head.version == version,
        answer.head.usableFrom <= now, now < answer.head.usableUntil
      else { return nil }
      return Boundary.copy(answer.bytes)
    }
  }

  /// Remembers the answer to a silent request.
  func remember(_ bytes: [UInt8], _ answer: SilentAnswer, to request: UnsafePointer<CChar>) {
    remember(bytes, answer.version, from: answer.usableFrom, until: answer.usableUntil, to: request)
  }

  /// Remembers the answer to a request, for a state of the store and a span of time.
  func remember(
    _ bytes: [UInt8], _ version: StoreVersion?, from: Instant = .distantPast,
    until: Instant = .distantFuture, to request: UnsafePointer<CChar>
  ) {
    guard let version else { return }
    let question = UnsafeRawBufferPointer(
      start: request, count: strnlen(request, AnswerTable.longestRequest + 1))
    guard question.count <= AnswerTable.longestRequest else { return }
    let head = AnswerHead(
      version: version, usableFrom: from, usableUntil: until,
      hash: AnswerTable.hash(question), questionCount: question.count, answerCount: bytes.count)
    gate.write {
      table.pointee.insert(head, question, bytes)
    }
  }
}

/// Lets many readers in at once, or one writer.
private struct ReaderGate {
  /// A counter a cache line, so that two readers on two cores do not share one.
  private static let stripes = 32
  private static let stride = 128

  private let memory: UnsafeMutableRawPointer

  init() {
    let size = ReaderGate.stride * (ReaderGate.stripes + 1)
    memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: ReaderGate.stride)
    for index in 0...ReaderGate.stripes {
      (memory + index * ReaderGate.stride).bindMemory(to: Atomic<Int>.self, capacity: 1)
        .initialize(to: Atomic(0))
    }
  }

  func free() {
    memory.deallocate()
  }

  private func counter(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * ReaderGate.stride).assumingMemoryBound(to: Atomic<Int>.self)
  }

  private var writing: UnsafeMutablePointer<Atomic<Int>> { counter(ReaderGate.stripes) }

  func read<Value>(_ body: () -> Value?) -> Value? {
    let own = counter(ReaderGate.stripe)
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { own.pointee.wrappingSubtract(1, ordering: .releasing) }
    guard writing.pointee.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
    return body()
  }

  /// The stripe of this thread: descriptors of threads lie pages apart, so their upper bits differ.
  private static var stripe: Int {
    #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
    #else
      let thread = UInt(pthread_self())
    #endif
    return Int((thread >> 12 ^ thread >> 20) % UInt(stripes))
  }

  func write(_ body: () -> Void) {
    let (isMine, _) = writing.pointee.compareExchange(
      expected: 0, desired: 1, ordering: .sequentiallyConsistent)
    guard isMine else { return }
    defer { writing.pointee.store(0, ordering: .sequentiallyConsistent) }
    for index in 0..<ReaderGate.stripes {
      var looks = 0
      while counter(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
        looks += 1
        guard looks < 1000 else { return }
        sched_yield()
      }
    }
    body()
  }
}
