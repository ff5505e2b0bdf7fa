// SPDX-License-Identifier: MIT
// The token request to the Linux identity broker (the member authParameters), and the request to sign.

package import TesseraWire

/// A token request to the broker.
package struct LinuxBrokerTokenRequest: Sendable, Equatable {
  /// The kind of request, with the number that Microsoft's libraries use.
  package enum AuthorizationType: Int64, Sendable {
    case silent = 1
    case interactive = 6
    case cookie = 8
  }

  package var application: LinuxBrokerApplication
  package var authority: String
  package var scopes: [String]
  /// The broker's account to return a token for; nil for the account that signs in.
  package var account: LinuxBrokerAccount?
  /// The user name, if there is no account.
  package var username: String?
  /// Whether the broker may show its window.
  package var isInteractive = false
  /// The `prompt` parameter.
  ///
  /// With `select_account`, the request contains no account and no user name.
  package var prompt: String?
  /// The `claims` parameter, as JSON text.
  package var claims: String?
  /// The access token that a resource rejected; the broker returns a new one.
  package var rejectedAccessToken: Secret?
  /// Additional query parameters for the authorization endpoint.
  package var extraQuery: [String: String] = [:]

  /// The `domain_hint`, which brokers accept as an extra query parameter.
  package var domainHint: String? {
    get { extraQuery["domain_hint"] }
    set { extraQuery["domain_hint"] = newValue }
  }
  /// The `ui_locales`, likewise.
  package var uiLocales: String? {
    get { extraQuery["ui_locales"] }
    set { extraQuery["ui_locales"] = newValue }
  }

  /// Creates a silent request.
  package init(_ application: LinuxBrokerApplication, authority: String, scopes: [String]) {
    self.application = application
    self.authority = authority
    self.scopes = scopes
  }

  /// Returns the member `authParameters`.
  package func parameters(_ type: AuthorizationType) -> JSONObject {
    let namesNoAccount = type == .interactive && prompt == "select_account"
    var json = JSONObject()
    if !namesNoAccount, let account { json.append("account", .object(account.json)) }
    json.append(
      "additionalQueryParametersForAuthorization",
      .object(JSONObject(extraQuery.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    )
    json.append("authority", authority)
    json.append("authorizationType", .integer(type.rawValue))
    json.append("clientId", application.clientID)
    json.append("redirectUri", application.redirectURI)
    json.append("requestedScopes", .array(scopes.map(JSONValue.string)))
    if !namesNoAccount { json.append("username", account?.username ?? username) }
    if type == .interactive { json.append("prompt", prompt) }
    json.append("decodedClaims", claims)
    json.append("accessTokenToRenew", rejectedAccessToken?.reveal())
    json.append("uxContextHandle", .integer(-1))
    return json
  }
}

/// An HTTP request to a resource, to be signed by the broker.
package struct LinuxBrokerSignedRequest: Sendable, Equatable {
  package var homeAccountID: String
  package var httpMethod: String
  package var host: String
  package var path: String
  package var nonce: String?
  /// Additional claims, as JSON text.
  package var clientClaims: String?
  /// The ID of the key; nil lets the broker choose.
  package var keyID: String?

  package init(homeAccountID: String, httpMethod: String, host: String, path: String) {
    self.homeAccountID = homeAccountID
    self.httpMethod = httpMethod
    self.host = host
    self.path = path
  }

  /// The member `popParams`.
  package var json: JSONObject {
    [
      "authenticationScheme": "pop", "uriHost": .string(host), "uriPath": .string(path),
      "httpMethod": .string(httpMethod), "nonce": .string(nonce ?? ""),
      "clientClaims": .string(clientClaims ?? ""), "kid": .string(keyID ?? ""),
      "homeAccountId": .string(homeAccountID),
    ]
  }
}
