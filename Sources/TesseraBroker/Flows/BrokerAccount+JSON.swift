// SPDX-License-Identifier: MIT
// The JSON form of the accounts and cookies of a broker, for C, Python and the command line.

import TesseraEngine
public import TesseraWire

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

  /// The document "BrokerAccount" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension BrokerCookie {
  /// An element of the response of `tessera_application_get_broker_sso_cookie`.
  package var json: JSONValue {
    ["name": .string(name), "content": .string(content.reveal())]
  }

  /// The cookie as JSON text, with the members `name` and `content`.
  public var jsonDocument: Secret { Secret(json.serialized) }
}
