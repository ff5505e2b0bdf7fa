// SPDX-License-Identifier: MIT
// The JSON form of broker results, for C, Python and the command line.

package import TesseraWire

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

extension BrokerAccount {
  /// The document "BrokerAccount" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("home_account_id", homeAccountID)
    json.append("local_account_id", localAccountID)
    json.append("environment", environment)
    json.append("tenant_id", tenantID)
    json.append("username", username)
    json.append("name", name)
    json.append("given_name", givenName)
    json.append("family_name", familyName)
    return .object(json)
  }
}

extension BrokerCookie {
  /// An element of the response of `tessera_application_get_broker_sso_cookie`.
  package var json: JSONValue {
    ["name": .string(name), "content": .string(content.reveal())]
  }
}

extension BrokerRemoval {
  /// The member "broker" of the document "SignOutReport".
  var json: JSONValue {
    var json = JSONObject()
    json.append("removed", .integer(Int64(removed)))
    if let error { json.append("error", .object(error.members)) }
    return .object(json)
  }
}
