// SPDX-License-Identifier: MIT
// Parsing of the JSON request that completes a host-driven sign-in.

import TesseraEngine
import TesseraWire

extension RedirectResponse {
  /// Parses "RedirectResponse" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: ["state", "url", "form", "source_application", "timeout_milliseconds"])
    let state = Secret(try document.requiredString("state"))
    let answer: RawAuthorizationResponse
    switch (try document.string("url"), try document.string("form")) {
    case (let url?, nil): answer = .address(Secret(url))
    case (nil, let form?): answer = .form(Secret(form))
    default:
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Pass either \"url\", the redirect URL, or \"form\", the body of the posted form.")
    }
    self.init(state: state, response: answer)
    sourceApplication = try document.string("source_application")
    timeout = try document.milliseconds("timeout_milliseconds")
  }
}
