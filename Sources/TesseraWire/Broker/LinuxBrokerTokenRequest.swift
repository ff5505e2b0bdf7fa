// SPDX-License-Identifier: MIT
// What a token is asked for with: the member authParameters of the broker's messages.

/// A request for a token.
package struct LinuxBrokerTokenRequest: Sendable, Equatable {
  /// What the broker is to do, as Microsoft's libraries number it.
  package enum AuthorizationType: Int64, Sendable {
    case silent = 1
    case interactive = 6
    case cookie = 8
  }

  package var application: LinuxBrokerApplication
  package var authority: String
  package var scopes: [String]
  /// Whose token is wanted, as the broker names them; nil for whoever signs in.
  package var account: LinuxBrokerAccount?
  /// What the person signs in with, where there is no account.
  package var username: String?
  /// Whether the broker may ask the person.
  package var isInteractive = false
  /// How the person is asked, such as `select_account`: then nobody is named.
  package var prompt: String?
  /// What is wanted of the token, as JSON text.
  package var claims: String?
  /// The token that did not serve, for a new one.
  package var renewed: Secret?
  /// Fields that are added to the query of the authorization endpoint.
  package var extraQuery: [String: String] = [:]

  /// `domain_hint`, which brokers take among the extra parameters.
  package var domainHint: String? {
    get { extraQuery["domain_hint"] }
    set { extraQuery["domain_hint"] = newValue }
  }

  /// A request without the person.
  package init(_ application: LinuxBrokerApplication, authority: String, scopes: [String]) {
    self.application = application
    self.authority = authority
    self.scopes = scopes
  }

  /// The member `authParameters`.
  package func parameters(_ type: AuthorizationType) -> JSONObject {
    let isForAnybody = type == .interactive && prompt == "select_account"
    var json = JSONObject()
    if !isForAnybody, let account { json.append("account", .object(account.json)) }
    json.append(
      "additionalQueryParametersForAuthorization",
      .object(JSONObject(extraQuery.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    )
    json.append("authority", authority)
    json.append("authorizationType", .integer(type.rawValue))
    json.append("clientId", application.clientID)
    json.append("redirectUri", application.redirectURI)
    json.append("requestedScopes", .array(scopes.map(JSONValue.string)))
    if !isForAnybody { json.append("username", account?.username ?? username) }
    if type == .interactive { json.append("prompt", prompt) }
    json.append("decodedClaims", claims)
    json.append("accessTokenToRenew", renewed?.reveal())
    json.append("uxContextHandle", .integer(-1))
    return json
  }
}

/// A request to a resource that is to be signed.
package struct LinuxBrokerSignedRequest: Sendable, Equatable {
  package var homeAccountID: String
  package var httpMethod: String
  package var host: String
  package var path: String
  package var nonce: String?
  /// Further claims, as JSON text.
  package var clientClaims: String?
  /// The key; nil lets the broker choose.
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
