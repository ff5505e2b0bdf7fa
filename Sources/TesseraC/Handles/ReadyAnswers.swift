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

extension Handle where Object == PublicClientApplication, Extra == ApplicationExtra {
  /// The answer that was given to the very same request before, if it is still true.
  static func readyAnswer(
    _ pointer: OpaquePointer?, _ request: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let request, let handle = at(pointer, mark: mark) else { return nil }
    let question = question(request)
    return handle.pointee.borrowed { application in
      let answers = handle.pointee.extra.answers
      let now = reading
      // A method as a value would count the object that it belongs to.
      if let copy = answers.copy(
        answering: question, at: now, isCurrent: { application.cache.isCurrent($0) })
      {
        return copy
      }
      guard answers.renew(answering: question, at: now, { application.cache.renewed($0) })
      else { return nil }
      return answers.copy(answering: question, at: now) { _ in true }
    }
  }

  /// The list of the accounts that was given before, if nobody has signed in or out since.
  static func readyAccounts(_ pointer: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    at(pointer, mark: mark)?.pointee.borrowed { $0.rememberedAccounts?.text }
  }

  /// Remembers what a request was answered with; nothing without a truth.
  func remember(
    _ document: [UInt8], _ truth: AnswerTruth?, answering request: UnsafePointer<CChar>
  ) {
    let question = Handle.question(request)
    guard let truth else { return }
    borrowed { application in
      extra.answers.remember(
        document, truth, answering: question, at: Handle.reading
      ) { application.cache.isOfUse($0) }
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
