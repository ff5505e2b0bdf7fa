// SPDX-License-Identifier: MIT
// The JSON form of an explanation, for C, Python and the command line.

package import TesseraWire

extension Explanation {
  /// The document "Explanation" of docs/explain.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("decision", decision.rawValue)
    json.append("reason", reason)
    json.append("message", message)
    json.append("home_account_id", homeAccountID)
    json.append("authority", authority)
    json.append("tenant_id", tenantID)
    json.append("environments", .strings(environments))
    json.append("scopes", .strings(scopes))
    json.append("candidates", .array(candidates.map(\.json)))
    if let error { json.append("error", .object(error.members)) }
    if !brokers.isEmpty { json.append("brokers", .array(brokers.map(\.json))) }
    json.append("store", store.rawValue)
    json.append("read_microseconds", .integer(readMicroseconds))
    if let networkMicroseconds {
      json.append("network_microseconds", .integer(networkMicroseconds))
    }
    if let totalMicroseconds { json.append("total_microseconds", .integer(totalMicroseconds)) }
    return .object(json)
  }

  /// The document "Explanation" of docs/c-interface.md as JSON text.
  ///
  /// It contains no token.
  public var jsonDocument: String { json.serialized }
}

extension TokenCandidate {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("credential_type", credentialType)
    json.append("role", role.rawValue)
    json.append("obstacles", .strings(obstacles.map(\.rawValue)))
    json.append("client_id", clientID)
    json.append("family_id", familyID)
    json.append("environment", environment)
    json.append("tenant_id", tenantID)
    if !scopes.isEmpty { json.append("scopes", .strings(scopes)) }
    if !missingScopes.isEmpty { json.append("missing_scopes", .strings(missingScopes)) }
    if let cachedOn { json.append("cached_on", .integer(cachedOn.secondsSince1970)) }
    if let expiresOn { json.append("expires_on", .integer(expiresOn.secondsSince1970)) }
    if let refreshOn { json.append("refresh_on", .integer(refreshOn.secondsSince1970)) }
    return .object(json)
  }
}
