// SPDX-License-Identifier: MIT
// The documents that were given before, by the bytes of their requests.

import TesseraEngine
import TesseraPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Handle where Object == PublicClientApplication, Extra == AnswerMemory {
  /// The answer that was given to the very same request before, if it is still true.
  static func readyAnswer(
    _ pointer: OpaquePointer?, _ request: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let request else { return nil }
    return readyAnswer(pointer, question(request))
  }

  /// The answer that was given to a question before, if it is still true.
  static func readyAnswer(
    _ pointer: OpaquePointer?, _ question: UnsafeRawBufferPointer
  ) -> UnsafeMutablePointer<CChar>? {
    guard let handle = at(pointer, mark: mark) else { return nil }
    return handle.pointee.borrowed { application in
      // A method as a value would count the object that it belongs to.
      handle.pointee.extra.copy(answering: question, at: reading) {
        application.cache.isCurrent($0)
      }
    }
  }

  /// Remembers what a request was answered with; nothing without a truth.
  func remember(
    _ document: [UInt8], _ truth: AnswerTruth?, answering request: UnsafePointer<CChar>
  ) {
    remember(document, truth, answering: Handle.question(request))
  }

  /// Remembers what a question was answered with; nothing without a truth.
  func remember(
    _ document: [UInt8], _ truth: AnswerTruth?, answering question: UnsafeRawBufferPointer
  ) {
    guard let truth else { return }
    borrowed { application in
      extra.remember(
        document, truth, answering: question, at: Handle.reading
      ) { application.cache.isCurrent($0) }
    }
  }

  /// What the system's clocks say.
  private static var reading: ClockReading {
    let time = SystemTime()
    return ClockReading(now: time.now, monotonicNanoseconds: time.monotonicNanoseconds)
  }

  /// The bytes of a request, or one more than are ever remembered.
  private static func question(_ request: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: request, count: strnlen(request, AnswerMemory.longestQuestion + 1))
  }
}
