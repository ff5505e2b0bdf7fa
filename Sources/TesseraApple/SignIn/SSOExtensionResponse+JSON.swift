// SPDX-License-Identifier: MIT
// The JSON form of requests to the single sign-on extension and of its responses, for C and Python.

package import TesseraEngine
package import TesseraWire

extension SSOExtensionRequest {
  /// The document "SSOExtensionOperation" of docs/brokers.md.
  package func json() throws(TesseraError) -> JSONValue {
    let options = try options().sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.string($0.value))
    }
    return ["operation": .string(operation), "options": .object(JSONObject(options))]
  }
}

extension SSOExtensionResponse {
  /// The document "SSOExtensionAnswer" of docs/brokers.md.
  ///
  /// It describes tokens, but does not contain them.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("operation", operation)
    json.append("type", type)
    json.append("succeeded", .bool(hasSucceeded))
    json.append("app_version", appVersion)
    json.append("received_on", requestReceivedOn.map { .integer($0.secondsSince1970) })
    json.append("answered_on", responseCreatedOn.map { .integer($0.secondsSince1970) })
    json.append("device", device.json)
    switch content {
    case .nothing: break
    case .accounts(let accounts): json.append("accounts", .array(accounts.map(\.json)))
    case .account(let account): json.append("account", account?.json ?? .null)
    case .cookies(let cookies): json.append("cookies", cookies.json)
    case .tokens(let answer): json.append("tokens", answer.json)
    case .passkeyAssertion(let assertion):
      json.append("passkey_assertion", assertion?.json ?? .null)
    case .passkeyCredential(let credential):
      json.append("passkey_credential", credential?.json ?? .null)
    case .browserMessage(let answer): json.append("browser_answer", answer.json)
    case .contracts(let names): json.append("contracts", .strings(names))
    }
    return .object(json)
  }
}

extension SSOExtensionDevice {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("mode", mode.rawValue)
    json.append("extension_mode", extensionMode.rawValue)
    json.append("joined", .bool(joinStatus == .joined))
    json.append("platform_sso", platformSSO.rawValue)
    json.append("provider", provider.rawValue)
    json.append("preferred_method", preferredMethod.rawValue)
    json.append("broker_version", brokerVersion)
    json.append("client_flights", clientFlights)
    json.append("additional_data", .written(additionalData))
    json.append("extra_info", .written(extraInfo))
    return .object(json)
  }
}

extension SSOExtensionAccount {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("home_account_id", homeAccountID)
    json.append("username", username)
    json.append("local_account_id", localAccountID)
    json.append("alternative_account_id", alternativeAccountID)
    json.append("account_type", accountType)
    json.append("environment", environment)
    json.append("storage_environment", storageEnvironment)
    json.append("realm", realm)
    json.append("name", name)
    json.append("given_name", givenName)
    json.append("middle_name", middleName)
    json.append("family_name", familyName)
    json.append("client_info", clientInfo)
    json.append("id_token_claims", .written(claims))
    json.append("is_sso_account", .bool(isSSOAccount))
    return .object(json)
  }
}

extension SSOExtensionCookies {
  fileprivate var json: JSONValue {
    ["people": .array(users.map(\.json)), "devices": .array(devices.map(\.json))]
  }
}

extension SSOExtensionCookies.Field {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("name", name)
    json.append("value", value.reveal())
    json.append("home_account_id", homeAccountID)
    json.append("username", username)
    json.append("tenant_id", tenantID)
    return .object(json)
  }
}

extension SSOExtensionTokenResponse {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("authority", authority)
    json.append("provider_type", provider.rawValue)
    if let scopes { json.append("scopes", .strings(scopes)) }
    json.append("has_additional_tokens", .bool(hasAdditionalTokens))
    json.append("onboarding_blob", onboardingBlob)
    return .object(json)
  }
}

extension SSOExtensionPasskeyAssertion {
  fileprivate var json: JSONValue {
    [
      "signature": .string(Hexadecimal.text(signature)),
      "authenticator_data": .string(Hexadecimal.text(authenticatorData)),
      "credential_id": .string(Hexadecimal.text(credentialID)),
    ]
  }
}

extension SSOExtensionPasskeyCredential {
  fileprivate var json: JSONValue {
    [
      "user_handle": .string(Hexadecimal.text(userHandle)),
      "key_id": .string(Hexadecimal.text(keyID)), "username": .string(username),
    ]
  }
}

extension BrowserMessageResponse {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("payload", payload.reveal())
    json.append("home_account_id", homeAccountID)
    json.append("username", username)
    json.append("state", state)
    json.append("report", .written(report))
    let list = cookies.map { cookie -> JSONValue in
      ["name": .string(cookie.name), "value": .string(cookie.value.reveal())]
    }
    json.append("cookies", .array(list))
    return .object(json)
  }
}

extension JSONValue {
  /// Parses JSON text.
  ///
  /// Returns `nil` for `nil` and for invalid JSON.
  fileprivate static func written(_ text: String?) -> JSONValue? {
    text.flatMap { try? JSONValue(parsing: $0) }
  }
}
