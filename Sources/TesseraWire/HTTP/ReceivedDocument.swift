// SPDX-License-Identifier: MIT
// What a server answered with a success: a JSON object, and when it came.

/// A JSON object that arrived.
package struct ReceivedDocument: Sendable {
  package let json: JSONObject
  package let arrival: Arrival

  package init(_ json: JSONObject, _ arrival: Arrival) {
    self.json = json
    self.arrival = arrival
  }
}
