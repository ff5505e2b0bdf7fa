// SPDX-License-Identifier: MIT
// A transport that edits the responses of the local provider, for providers that behave differently.

package import TesseraEngine
import TesseraTesting
package import TesseraWire

/// A transport that forwards requests and returns edited responses.
package struct EditedTransport: Transport {
  let network: any Transport
  /// Returns the edited response to a request.
  let edit: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse

  /// Creates a transport that edits the responses of another one.
  package init(
    network: any Transport, edit: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse
  ) {
    self.network = network
    self.edit = edit
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    edit(request, try network.send(request, within: limits))
  }
}

extension HTTPResponse {
  /// Returns the response without a member of its JSON body.
  package func without(_ member: String) -> HTTPResponse {
    guard var json = json, json[member] != nil else { return self }
    json[member] = nil
    return .json(.object(json), status: status)
  }
}
