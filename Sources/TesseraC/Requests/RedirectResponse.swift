// SPDX-License-Identifier: MIT
// Parsing of the JSON request that completes a host-driven sign-in.

import TesseraEngine
import TesseraWire

extension RedirectResponse {
  /// Parses "RedirectResponse" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try RedirectResponseMembers(text)
    let state = Secret(try members.state)
    let answer: RawAuthorizationResponse
    switch (try members.url, try members.form) {
    case (let url?, nil): answer = .address(Secret(url))
    case (nil, let form?): answer = .form(Secret(form))
    default:
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Pass either \"url\", the redirect URL, or \"form\", the body of the posted form.")
    }
    self.init(state: state, response: answer)
    sourceApplication = try members.sourceApplication
    timeout = try members.timeout
  }
}
