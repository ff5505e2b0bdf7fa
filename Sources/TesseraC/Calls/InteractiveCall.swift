// SPDX-License-Identifier: MIT
// A request to sign in in a browser as C programs make it without blocking: they may show the address, or not.

import Tessera
import TesseraEngine

/// A request to sign in in a browser, and whether its address is shown.
struct InteractiveCall: CallWork {
  static var waitsForPerson: Bool { true }

  private let request: InteractiveRequest
  private let showsAddress: Bool

  /// Reads "InteractiveRequest" of docs/c-interface.md, with "shows_address".
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    var shows = true
    request = try InteractiveRequest(text, others: ["shows_address"]) {
      document throws(TesseraError) in
      shows = try document.bool("shows_address") ?? true
    }
    showsAddress = shows
  }

  /// The document, if it takes neither the person nor a look into the store.
  func documentAtHand(_ application: PublicClientApplication) -> [UInt8]? {
    application.remembered(request)?.json.bytes
  }

  /// The document; the group is told the address of the page.
  func document(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> [UInt8] {
    let show = { (prompt: SignInPrompt) in progress.tell(prompt.json.bytes) }
    return try application.acquireTokenInteractive(
      request, cancellation: progress.cancellation, prompt: showsAddress ? show : nil
    ).json.bytes
  }
}
