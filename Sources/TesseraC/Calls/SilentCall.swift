// SPDX-License-Identifier: MIT
// A silent request as C programs make it: with or without an explanation.

import Tessera
import TesseraEngine

/// A silent request, and whether its answer is to be explained.
struct SilentCall: CallWork {
  private let request: SilentRequest
  private let explains: Bool

  /// Reads "SilentRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    var explains = false
    request = try SilentRequest(text, others: ["explain"]) { document throws(TesseraError) in
      explains = try document.bool("explain") ?? false
    }
    self.explains = explains
  }

  var turn: String? { request.turn }

  /// Whether the same document may answer it again; one with a correlation id of its own never comes again.
  private var isRepeatable: Bool {
    !explains && RememberedAnswers.isRepeatable(request) && request.correlationID == nil
  }

  /// The document, if it takes no look into the store.
  func documentAtHand(_ application: PublicClientApplication) -> [UInt8]? {
    explains ? nil : application.remembered(request)?.json.bytes
  }

  /// The document; the application remembers what it was made of.
  func document(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> [UInt8] {
    let stop = progress.cancellation
    guard !explains else { return try answer(of: application, stop).document }
    return try application.acquireTokenSilent(request, cancellation: stop).json.bytes
  }

  /// The document, and when it can be given again; nil for never.
  func answer(
    of application: PublicClientApplication, _ cancellation: Cancellation?
  ) throws(TesseraError) -> (document: [UInt8], truth: AnswerTruth?) {
    if explains {
      let result = try application.acquireTokenSilentExplained(request, cancellation: cancellation)
      return (result.json.bytes, nil)
    }
    let limits = application.limits(request.timeoutMilliseconds, cancellation)
    let answer = try application.silentAnswer(to: request, within: limits)
    return (answer.result.json.bytes, isRepeatable ? answer.truth : nil)
  }
}
