// SPDX-License-Identifier: MIT
// The JSON form of a token description, for C, Python and the command line.

package import TesseraWire

extension TokenDescription {
  /// The document "TokenDescription" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("kind", kind.rawValue)
    json.append("verified", .bool(false))
    json.append("algorithm", algorithm)
    json.append("issuer", issuer)
    json.append("audiences", .strings(audiences))
    json.append("subject", subject)
    json.append("tenant_id", tenantID)
    json.append("client_id", clientID)
    json.append("username", username)
    json.append("scopes", .strings(scopes))
    json.append("roles", .strings(roles))
    for (name, time) in [
      ("issued_on", issuedOn), ("not_before_on", notBeforeOn), ("expires_on", expiresOn),
    ] {
      if let time { json.append(name, .integer(time)) }
    }
    json.append("hint", hint)
    return .object(json)
  }
}

extension JSONObject {
  /// Whether the claims include some that only ID tokens have.
  var hasIDTokenClaims: Bool { self["nonce"] != nil || self["at_hash"] != nil }
}
