// SPDX-License-Identifier: MIT
// The JSON object of a successful response, with its arrival time and the secrets of the request.

/// A JSON object that was received from a server.
package struct ReceivedDocument: Sendable {
  package let json: JSONObject
  package let arrival: ResponseTime
  /// The secrets of the request, which errors about this document must not contain.
  package let sent: SentSecrets

  package init(_ json: JSONObject, _ arrival: ResponseTime, sent: SentSecrets = SentSecrets()) {
    self.json = json
    self.arrival = arrival
    self.sent = sent
  }
}
