// SPDX-License-Identifier: MIT
// Access control of the control interface: programs on this machine only, never a web page.

import TesseraWire

extension ProviderState {
  /// The response to a request that a web page or another machine sent.
  static let forbidden = HTTPResponse.json(
    [
      "error": "forbidden",
      "message":
        "The control interface accepts requests from this machine only: omit Origin, and send its address as Host.",
    ], status: 403)
}

extension IncomingRequest {
  /// Whether a request to the control interface came from a program on this machine.
  ///
  /// A browser sends Origin with each POST of a page. With DNS rebinding it sends the page's own name as Host.
  ///
  /// - Parameter origin: The address under which clients reach the provider. Its host is accepted too.
  func isFromThisMachine(origin: String) -> Bool {
    guard headers["Origin"] == nil else { return false }
    guard let host = headers["Host"] else { return true }
    guard let name = WebURL("http://\(host)")?.host else { return false }
    return ["127.0.0.1", "localhost", "[::1]", "::1"].contains(name)
      || name == WebURL(origin)?.host
  }
}
