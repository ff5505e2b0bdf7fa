// SPDX-License-Identifier: MIT
// A transport that edits the responses of the local provider, for providers that behave differently.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// A transport that forwards requests and returns edited responses.
struct EditedTransport: Transport {
  let network: any Transport
  /// Returns the edited response to a request.
  let edit: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    edit(request, try network.send(request, within: limits))
  }
}

extension HTTPResponse {
  /// Returns the response without a member of its JSON body.
  func without(_ member: String) -> HTTPResponse {
    guard var json = json, json[member] != nil else { return self }
    json[member] = nil
    return .json(.object(json), status: status)
  }
}
