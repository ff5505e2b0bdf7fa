// SPDX-License-Identifier: MIT
// The JSON object of a successful response, with its arrival time and the secrets of the request.

/// A JSON object that was received from a server.
package struct ReceivedDocument: Sendable {
  package let json: JSONObject
  package let responseTime: ResponseTime
  /// The secrets of the request, which errors about this document must not contain.
  package let sent: RequestSecrets

  package init(
    _ json: JSONObject, _ responseTime: ResponseTime, sent: RequestSecrets = RequestSecrets()
  ) {
    self.json = json
    self.responseTime = responseTime
    self.sent = sent
  }
}
