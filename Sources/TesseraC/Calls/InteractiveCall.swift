// SPDX-License-Identifier: MIT
// A non-blocking interactive request from C, with or without the sign-in address as an event.

import Tessera
import TesseraEngine

/// An interactive request in a browser, and whether the host receives the sign-in address.
struct InteractiveCall: CallWork {
  static var waitsForUser: Bool { true }

  private let request: InteractiveRequest
  private let showsAddress: Bool

  /// Parses "InteractiveRequest" of docs/c-interface.md, with "shows_address".
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try InteractiveCallRequestMembers(text)
    request = try InteractiveRequest(members.interactiveRequest)
    showsAddress = try members.showsAddress ?? true
  }

  /// Returns the response document if it is cached in this process; nil if the store or the user is needed.
  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? {
    application.cachedResult(request)?.jsonBytes
  }

  /// Returns the response.
  ///
  /// The address of the sign-in page is added to the queue as a prompt.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    let show = { (prompt: SignInPrompt) in progress.sendPrompt(prompt.json.bytes) }
    return CallResponse(
      try application.acquireTokenInteractive(
        request, cancellation: progress.cancellation, prompt: showsAddress ? show : nil))
  }
}
