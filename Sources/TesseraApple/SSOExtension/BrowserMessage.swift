// SPDX-License-Identifier: MIT
// A web page's request to the broker, received through the browser's native messaging.

import TesseraWire

/// A native message from a web page to the broker (MSAL for Apple, `MSIDBrowserNativeMessageRequest`).
public struct BrowserMessage: Sendable, Hashable {
  /// The method of a message, with its parameters.
  public enum Method: Sendable, Hashable {
    /// Request a token for the page's application.
    case getToken(BrowserTokenRequest)
    /// Request the single sign-on cookies for a URL.
    case getCookies(uri: String)
    /// Sign an account out.
    case signOut(homeAccountID: String, correlationID: String?)
    /// Request the methods that the broker supports.
    case getSupportedContracts

    /// The name of the method.
    public var name: String {
      switch self {
      case .getToken: "GetToken"
      case .getCookies: "GetCookies"
      case .signOut: "SignOut"
      case .getSupportedContracts: "GetSupportedContracts"
      }
    }
  }

  /// The URL of the page.
  public var sender: String
  /// The method.
  public var method: Method

  /// Creates a message from a page.
  public init(_ method: Method, from sender: String) {
    self.method = method
    self.sender = sender
  }

  /// Returns the JSON text of the message.
  ///
  /// - Throws: ``WireError`` `sso_extension_request` if a required member is missing or invalid.
  func text() throws(WireError) -> String {
    var json = JSONObject()
    json.append("method", method.name)
    json.append("sender", try BrowserMessage.required(sender, "sender"))
    switch method {
    case .getToken(let request): json.append("request", .object(try request.json()))
    case .getCookies(let uri): json.append("uri", try BrowserMessage.required(uri, "uri"))
    case .signOut(let account, let correlationID):
      json.append("accountId", try BrowserMessage.account(account))
      json.append("correlationId", correlationID?.nonBlank?.uppercased())
    case .getSupportedContracts: break
    }
    return String(decoding: JSONValue.object(json).bytes, as: UTF8.self)
  }

  static func required(_ text: String, _ name: String) throws(WireError) -> String {
    guard let text = text.nonBlank else { throw .missingSSOExtensionParameter("\"\(name)\"") }
    return text
  }

  /// Checks an Entra account ID: two parts, separated by a dot.
  static func account(_ id: String) throws(WireError) -> String {
    guard id.split(separator: ".", omittingEmptySubsequences: false).count == 2 else {
      throw .missingSSOExtensionParameter("an Entra account ID, \"<object>.<tenant>\"")
    }
    return id
  }
}

/// The browser process that forwards a page's message.
public struct BrowserProcess: Sendable, Hashable {
  /// The ID of the team that signed the browser.
  public var teamID: String?
  /// The bundle ID of the browser.
  public var bundleID: String?
  /// The display name of the browser.
  public var name: String?

  /// Creates a browser process.
  public init(teamID: String? = nil, bundleID: String? = nil, name: String? = nil) {
    self.teamID = teamID
    self.bundleID = bundleID
    self.name = name
  }

  func write(to parameters: inout SSOExtensionParameters) {
    parameters.add("parent_process_teamId", teamID)
    parameters.add("parent_process_bundle_identifier", bundleID)
    parameters.add("parent_process_localized_name", name)
  }
}

/// A web page's token request (MSAL for Apple, `MSIDBrowserNativeMessageGetTokenRequest`).
public struct BrowserTokenRequest: Sendable, Hashable {
  /// The client ID of the page's application.
  public var clientID: String
  /// The requested scopes.
  public var scopes: [String]
  /// The redirect URI of the page.
  public var redirectURI: String
  /// The authority URL; nil for Microsoft's default.
  public var authority: String?
  /// The home account ID; nil for any account.
  public var homeAccountID: String?
  /// The user name to prefill on the sign-in page.
  public var loginHint: String?
  /// The `prompt` parameter, with the values of ``SSOExtensionInteractiveOptions/prompt``.
  public var prompt: String?
  /// The expected `nonce` of the ID token.
  public var nonce: String?
  /// The value that the response returns unchanged.
  public var state: String?
  /// The `claims` parameter, as JSON text.
  public var claims: String?
  /// `Pop` for a proof-of-possession token, which requires ``requestConfirmation``; nil for a bearer token.
  public var tokenType: String?
  /// The confirmation of the key that the token is bound to (`reqCnf`).
  public var requestConfirmation: String?
  /// The correlation ID, a UUID that appears in the logs of the broker and of the server.
  public var correlationID: String?
  /// Additional query parameters for the sign-in page.
  public var extraParameters: [String: String] = [:]
  /// Whether the page is Microsoft's sign-in page.
  public var isSTS = false
  /// Whether an account of another cloud may sign in.
  public var isInstanceAware = false
  /// Whether the broker may show a window.
  public var canShowUI = true

  /// Creates a token request.
  public init(clientID: String, scopes: [String], redirectURI: String) {
    self.clientID = clientID
    self.scopes = scopes
    self.redirectURI = redirectURI
  }

  func json() throws(WireError) -> JSONObject {
    var json = JSONObject()
    json.append("clientId", try BrowserMessage.required(clientID, "client_id"))
    json.append("authority", authority?.nonBlank)
    json.append("scope", try BrowserMessage.required(Scopes(scopes).text, "scopes"))
    json.append("redirectUri", try BrowserMessage.required(redirectURI, "redirect_uri"))
    if let homeAccountID { json.append("accountId", try BrowserMessage.account(homeAccountID)) }
    json.append("loginHint", loginHint?.nonBlank)
    json.append("prompt", prompt?.nonBlank)
    json.append("nonce", nonce?.nonBlank)
    json.append("state", state?.nonBlank)
    json.append("claims", claims?.nonBlank)
    try appendScheme(to: &json)
    json.append("correlationId", correlationID?.nonBlank?.uppercased())
    json.append("isSts", .bool(isSTS))
    json.append("instance_aware", .bool(isInstanceAware))
    json.append("canShowUI", .bool(canShowUI))
    if !extraParameters.isEmpty {
      let sorted = extraParameters.sorted { $0.key < $1.key }
      json.append(
        "extraParameters", .object(JSONObject(sorted.map { ($0.key, .string($0.value)) })))
    }
    return json
  }

  private func appendScheme(to json: inout JSONObject) throws(WireError) {
    guard let tokenType = tokenType?.nonBlank, tokenType.normalised != "bearer" else { return }
    json.append("tokenType", tokenType)
    json.append("reqCnf", try BrowserMessage.required(requestConfirmation ?? "", "req_cnf"))
  }
}
