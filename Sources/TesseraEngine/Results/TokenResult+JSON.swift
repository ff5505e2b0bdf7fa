// SPDX-License-Identifier: MIT
// The JSON form of the result of a token request.

public import TesseraWire

extension TokenResult {
  /// The document "TokenResult" of docs/c-interface.md.
  ///
  /// It is identical for repeated cache hits, so that a caller can detect an unchanged result by comparing the bytes.
  package var json: JSONValue {
    var json = membersBeforeClaims
    if let claims { json.append("id_token_claims", .object(claims)) }
    for (name, value) in membersAfterClaims.members { json.append(name, value) }
    return .object(json)
  }

  /// The document "TokenResult" of docs/c-interface.md as JSON text in UTF-8.
  ///
  /// The claims are usually copied from the ID token without parsing them.
  package var jsonBytes: [UInt8] {
    guard let claims = idToken.flatMap(JSONWebToken.plainClaims) else { return json.bytes }
    let tokens = accessToken.utf8Count + (idToken?.utf8Count ?? 0)
    var bytes = JSONValue.object(membersBeforeClaims).bytes(
      reserving: tokens + claims.count + TokenResult.usualSize)
    let after = JSONValue.object(membersAfterClaims).bytes
    bytes.removeLast()
    bytes += ",\"id_token_claims\":".utf8
    bytes += claims
    bytes.append(UInt8(ascii: ","))
    bytes += after.dropFirst()
    return bytes
  }

  /// The size of most documents without the tokens and their claims, in bytes.
  private static let usualSize = 1500

  private var membersBeforeClaims: JSONObject {
    var json = JSONObject()
    json.append("access_token", accessToken.reveal())
    json.append("token_type", tokenType)
    json.append("expires_on", .integer(expiresOn.secondsSince1970))
    if let extendedExpiresOn {
      json.append("extended_expires_on", .integer(extendedExpiresOn.secondsSince1970))
    }
    if let refreshOn { json.append("refresh_on", .integer(refreshOn.secondsSince1970)) }
    json.append("scopes", .strings(scopes))
    if !declinedScopes.isEmpty { json.append("declined_scopes", .strings(declinedScopes)) }
    json.append("id_token", idToken?.reveal())
    return json
  }

  private var membersAfterClaims: JSONObject {
    var json = JSONObject()
    json.append("account", account.json)
    json.append("tenant_id", tenantID)
    json.append("authority", authority)
    json.append("source", source.rawValue)
    json.append("persisted", .bool(isPersisted))
    if hasExtendedLifetime { json.append("extended_lifetime", .bool(true)) }
    if let refreshError { json.append("refresh_error", .object(refreshError.members)) }
    if !warnings.isEmpty { json.append("warnings", .strings(warnings)) }
    json.append("browser_reason", browserReason)
    if !brokers.isEmpty { json.append("brokers", .array(brokers.map(\.json))) }
    json.append("explanation", explanation?.json)
    return json
  }

  /// The document "TokenResult" of docs/c-interface.md as JSON text.
  ///
  /// It contains the tokens.
  public var jsonDocument: Secret { Secret(String(decoding: jsonBytes, as: UTF8.self)) }
}

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
