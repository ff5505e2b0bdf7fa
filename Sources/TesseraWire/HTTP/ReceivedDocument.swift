// SPDX-License-Identifier: MIT
// What a server answered with a success: a JSON object, and when it came.

/// A JSON object that arrived.
package struct ReceivedDocument: Sendable {
  package let json: JSONObject
  package let arrival: ResponseTime
  /// The secrets of the request, which no error about this document may show.
  package let sent: SentSecrets

  package init(_ json: JSONObject, _ arrival: ResponseTime, sent: SentSecrets = SentSecrets()) {
    self.json = json
    self.arrival = arrival
    self.sent = sent
  }
}
