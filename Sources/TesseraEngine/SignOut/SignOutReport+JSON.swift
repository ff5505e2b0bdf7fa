// SPDX-License-Identifier: MIT
// The JSON form of a sign-out report, for C, Python and the command line.

package import TesseraWire

extension SignOutReport {
  /// The document "SignOutReport" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("scope", scope.rawValue)
    json.append("accounts", .array(accounts.map(\.json)))
    json.append(
      "removed",
      [
        "accounts": .integer(Int64(removed.accounts)),
        "access_tokens": .integer(Int64(removed.accessTokens)),
        "refresh_tokens": .integer(Int64(removed.refreshTokens)),
        "id_tokens": .integer(Int64(removed.idTokens)),
      ])
    json.append("remaining", .array(remaining.map(\.json)))
    json.append("revocations", .array(revocations.map(\.json)))
    json.append("end_session_url", endSessionURL)
    if let broker { json.append("broker", broker.json) }
    if !warnings.isEmpty { json.append("warnings", .strings(warnings)) }
    return .object(json)
  }

  /// The document "SignOutReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension SignOutReport.LeftoverToken {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("kind", kind.rawValue)
    json.append("client_id", clientID)
    if let expiresOn { json.append("expires_on", .integer(expiresOn)) }
    json.append("path", path)
    return .object(json)
  }
}

extension SignOutReport.Revocation {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("client_id", clientID)
    json.append("revoked", .bool(error == nil))
    if let error { json.append("error", .object(error.members)) }
    return .object(json)
  }
}
