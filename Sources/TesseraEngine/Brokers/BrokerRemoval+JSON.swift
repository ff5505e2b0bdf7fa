// SPDX-License-Identifier: MIT
// The JSON form of the result of a sign-out at the broker.

import TesseraWire

extension BrokerRemoval {
  /// The member "broker" of the document "SignOutReport".
  var json: JSONValue {
    var json = JSONObject()
    json.append("removed", .integer(Int64(removed)))
    if let error { json.append("error", .object(error.members)) }
    return .object(json)
  }
}
