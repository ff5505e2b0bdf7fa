// SPDX-License-Identifier: MIT
// What a page in a browser asks the broker, through the browser's native messages.

/// A message of a page to the broker (MSAL for Apple, `MSIDBrowserNativeMessageRequest`).
public struct BrowserMessage: Sendable, Hashable {
  /// What the page wants.
  public enum Method: Sendable, Hashable {
    /// A token for the application that the page is.
    case getToken(BrowserTokenRequest)
    /// The cookies that sign the browser in at an address.
    case getCookies(uri: String)
    /// An account is to sign out.
    case signOut(homeAccountID: String, correlationID: String?)
    /// Which methods the broker knows.
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

  /// The address of the page.
  public var sender: String
  /// What it wants.
  public var method: Method

  /// A message of a page.
  public init(_ method: Method, from sender: String) {
    self.method = method
    self.sender = sender
  }

  /// The JSON text of the message.
  ///
  /// - Throws: ``WireError`` where something is missing that the broker must have.
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
    guard let text = text.nonBlank else { throw .missingInSSOExtensionRequest("\"\(name)\"") }
    return text
  }

  /// An account id of Entra: two parts with a point between them.
  static func account(_ id: String) throws(WireError) -> String {
    guard id.split(separator: ".", omittingEmptySubsequences: false).count == 2 else {
      throw .missingInSSOExtensionRequest("an account id of Entra, \"<object>.<tenant>\"")
    }
    return id
  }
}

/// The program that a page's message comes through.
public struct BrowserProcess: Sendable, Hashable {
  /// The team that signed the browser.
  public var teamID: String?
  /// The bundle of the browser.
  public var bundleID: String?
  /// The browser's name, as people see it.
  public var name: String?

  /// A browser.
  public init(teamID: String? = nil, bundleID: String? = nil, name: String? = nil) {
    self.teamID = teamID
    self.bundleID = bundleID
    self.name = name
  }

  func write(to texts: inout SSOExtensionTexts) {
    texts.add("parent_process_teamId", teamID)
    texts.add("parent_process_bundle_identifier", bundleID)
    texts.add("parent_process_localized_name", name)
  }
}

/// A page's request for a token (MSAL for Apple, `MSIDBrowserNativeMessageGetTokenRequest`).
public struct BrowserTokenRequest: Sendable, Hashable {
  /// The application that the page is.
  public var clientID: String
  /// The scopes that are wanted.
  public var scopes: [String]
  /// The redirect URI of the page.
  public var redirectURI: String
  /// The address of the authority; nil for Microsoft's own.
  public var authority: String?
  /// The account; nil for anybody.
  public var homeAccountID: String?
  /// The name to begin with.
  public var loginHint: String?
  /// As of ``SSOExtensionPage/prompt``.
  public var prompt: String?
  /// What the ID token must have as its `nonce`.
  public var nonce: String?
  /// What the answer carries back.
  public var state: String?
  /// A `claims` parameter, as JSON text.
  public var claims: String?
  /// `Pop` for a token that is bound to a key, with ``requestConfirmation``; nil for bearer.
  public var tokenType: String?
  /// What the token is bound to (`reqCnf`).
  public var requestConfirmation: String?
  /// A UUID that is found in the logs of the broker and of the server.
  public var correlationID: String?
  /// What is added to the query of the page.
  public var extraParameters: [String: String] = [:]
  /// Whether the page is Microsoft's own sign-in page.
  public var isSTS = false
  /// Whether the person may belong to another cloud than the authority.
  public var isInstanceAware = false
  /// Whether the broker may show its own page.
  public var canShowUI = true

  /// A request for a token.
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
