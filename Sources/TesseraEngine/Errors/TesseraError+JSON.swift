// SPDX-License-Identifier: MIT
// The JSON form of an error, for C, Python and the command line.

package import TesseraWire

extension TesseraError {
  /// `{"error": {…}}`.
  package var json: JSONValue {
    ["error": .object(members)]
  }

  /// The document `{"error": Error}` of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }

  /// The members of the document "Error" of docs/errors.md.
  ///
  /// Members without a value are omitted.
  package var members: JSONObject {
    var json = JSONObject()
    json.append("remedy", remedy.name)
    json.append("code", code.rawValue)
    json.append("message", message)
    json.append("retryable", .bool(isRetryable))
    if let retryAfterSeconds { json.append("retry_after", .integer(retryAfterSeconds)) }
    json.append("oauth_error", oauthError)
    json.append("suberror", suberror)
    if !serverCodes.isEmpty {
      json.append("server_codes", .array(serverCodes.map(JSONValue.integer)))
    }
    json.append("correlation_id", correlationID)
    json.append("trace_id", traceID)
    json.append("claims", claims)
    if !grantedScopes.isEmpty { json.append("granted_scopes", .strings(grantedScopes)) }
    if !declinedScopes.isEmpty { json.append("declined_scopes", .strings(declinedScopes)) }
    json.append("username", username)
    json.append("home_account_id", homeAccountID)
    json.append("app_link", appLink)
    if requiresTokenProtection { json.append("token_protection_required", .bool(true)) }
    json.append("authority", authority)
    if let holderProcessID { json.append("holder_process_id", .integer(holderProcessID)) }
    if !accounts.isEmpty { json.append("accounts", .array(accounts.map(\.json))) }
    if !causes.isEmpty { json.append("causes", .array(causes.map(\.json))) }
    if let msal = msalCode {
      json.append("msal_code", .integer(msal.code))
      if let internalCode = msal.internalCode {
        json.append("msal_internal_code", .integer(internalCode))
      }
    }
    return json
  }
}
