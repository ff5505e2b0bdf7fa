// SPDX-License-Identifier: MIT
// The common steps of all non-blocking calls.

import CTessera
import Tessera
import TesseraEngine

/// The work of a non-blocking call.
protocol CallWork: Sendable {
  /// Whether the call waits for the user.
  ///
  /// Such calls run on separate threads and do not delay others.
  static var waitsForUser: Bool { get }
  /// The serial key; nil if the call is independent of all others.
  ///
  /// Calls with the same key run one after another.
  var serialKey: String? { get }

  /// Returns the response document if it is cached; nil if the call has to run.
  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]?

  /// Returns the response.
  ///
  /// Called on a thread of the library.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse
}

extension CallWork {
  static var waitsForUser: Bool { false }
  var serialKey: String? { nil }

  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? { nil }
}

extension CBridge {
  /// Starts a call and writes its ID.
  ///
  /// If the response is cached, writes the response and the ID 0 instead.
  ///
  /// - Parameter work: Parses the request. It runs after the handles were validated.
  static func begin<Work: CallWork>(  // allowed: what a C function takes, and what it does
    _ response: Response, _ calls: OpaquePointer?, _ application: OpaquePointer?,
    _ userData: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
    _ work: @autoclosure () throws(TesseraError) -> Work
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> [UInt8] in
      let group = try CallsHandle.required(calls)
      guard let call else { throw missing("call") }
      call.pointee = 0
      // Retain the application, because the host may free its handle during the call.
      let application = try ApplicationHandle.required(application).pointee.borrowed { $0 }
      let work = try work()
      if let document = work.cachedDocument(application) { return document }
      let dependencies = application.dependencies
      call.pointee = group.start(
        on: Work.waitsForUser ? dependencies.interactiveWorkers : dependencies.workers,
        serialKey: work.serialKey ?? dependencies.randomness.uuid(), userData: userData
      ) { progress throws(TesseraError) in
        try work.response(of: application, progress)
      }
      return emptyResponse
    }
  }
}
