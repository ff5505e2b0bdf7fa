// SPDX-License-Identifier: MIT
// The JSON form of broker results.

import TesseraWire

extension BrokerVisit {
  /// An element of "brokers" in the documents "TokenResult" and "Explanation".
  var json: JSONValue {
    var json = JSONObject()
    json.append("broker", broker)
    json.append("outcome", outcome.rawValue)
    json.append("reason", reason)
    if !message.isEmpty { json.append("message", message) }
    return .object(json)
  }
}
