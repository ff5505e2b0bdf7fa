// SPDX-License-Identifier: MIT
// The JSON form of token results and sign-in prompts, for C, Python and the command line.

package import TesseraWire

extension TokenResult {
  /// The document "TokenResult" of docs/c-interface.md.
  ///
  /// It is identical for repeated cache hits, so that a caller can detect an unchanged result by comparing the bytes.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("access_token", accessToken.reveal())
    json.append("token_type", tokenType)
    json.append("expires_on", expiresOn.json)
    if let extendedExpiresOn { json.append("extended_expires_on", extendedExpiresOn.json) }
    if let refreshOn { json.append("refresh_on", refreshOn.json) }
    json.append("scopes", .strings(scopes))
    if !declinedScopes.isEmpty { json.append("declined_scopes", .strings(declinedScopes)) }
    json.append("id_token", idToken?.reveal())
    if let claims { json.append("id_token_claims", .object(claims)) }
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
    return .object(json)
  }
}

extension DeviceCodePrompt {
  /// The document that the prompt callback receives.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("user_code", userCode)
    json.append("verification_uri", verificationURI)
    json.append("verification_uri_complete", verificationURIComplete)
    json.append("message", message)
    json.append("expires_on", expiresOn.json)
    json.append("interval_seconds", .integer(interval.wholeSeconds))
    return .object(json)
  }
}

extension BegunSignIn {
  /// The document "BegunSignIn" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("url", url)
    json.append("state", state.reveal())
    json.append("expires_on", expiresOn.json)
    json.append("redirect_uri", redirectURI)
    return .object(json)
  }
}

extension SignInPrompt {
  /// The document that the prompt callback receives.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("url", url)
    json.append("opens_browser", .bool(opensBrowser))
    json.append("reason", reason)
    json.append("redirect_uri", redirectURI)
    json.append("problem", problem)
    return .object(json)
  }
}

extension Instant {
  fileprivate var json: JSONValue { .integer(secondsSince1970) }
}

extension JSONValue {
  /// Creates an array of strings.
  package static func strings(_ list: [String]) -> JSONValue {
    .array(list.map(JSONValue.string))
  }
}
