// SPDX-License-Identifier: MIT
// What calls that do not block have in common: how they begin, and what a thread does for them.

import CTessera
import Tessera
import TesseraEngine

/// What a call that does not block does.
protocol CallWork: Sendable {
  /// Whether it waits for a person; such calls keep no thread from others.
  static var waitsForPerson: Bool { get }
  /// Work of one turn is done one after another; nil for work that waits for no other.
  var turn: String? { get }

  /// The document, if nothing has to be waited for.
  func documentAtHand(_ application: PublicClientApplication) -> [UInt8]?

  /// The document; called on a thread of the library's own.
  func document(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> [UInt8]
}

extension CallWork {
  static var waitsForPerson: Bool { false }
  var turn: String? { nil }

  func documentAtHand(_ application: PublicClientApplication) -> [UInt8]? { nil }
}

extension CBridge {
  /// Begins a call, and writes its number; or its answer, if that is at hand.
  ///
  /// - Parameter work: reads the request, once the handles are known to be good.
  static func begin<Work: CallWork>(  // allowed: what a C function takes, and what it does
    _ response: Response, _ calls: OpaquePointer?, _ application: OpaquePointer?,
    _ call: UnsafeMutablePointer<Int64>?, _ work: @autoclosure () throws(TesseraError) -> Work
  ) -> tessera_status {
    answer(response) { () throws(TesseraError) -> [UInt8] in
      let group = try CallsHandle.required(calls)
      guard let call else { throw missing("call") }
      call.pointee = 0
      // The host may free its handle while the call is under way.
      let application = try ApplicationHandle.required(application).pointee.borrowed { $0 }
      let work = try work()
      if let document = work.documentAtHand(application) { return document }
      let surroundings = application.surroundings
      call.pointee = group.start(
        on: Work.waitsForPerson ? surroundings.patientWorkers : surroundings.workers,
        inTurnOf: work.turn ?? surroundings.randomness.uuid()
      ) { progress throws(TesseraError) in
        try work.document(of: application, progress)
      }
      return nothing
    }
  }
}
