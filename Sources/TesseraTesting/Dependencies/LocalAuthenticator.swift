// SPDX-License-Identifier: MIT
// A simulated Microsoft Authenticator, which returns encrypted responses with tokens of a local provider.

import Crypto
import CryptoExtras
import TesseraWire

/// A simulated Microsoft Authenticator for tests with a local provider.
public struct LocalAuthenticator: Sendable {
  private let provider: LocalProvider
  private let browser: LocalBrowser

  /// Creates an Authenticator in which the user of a simulated browser signs in.
  public init(at provider: LocalProvider, as browser: LocalBrowser) {
    self.provider = provider
    self.browser = browser
  }

  /// Returns the parameters of a request.
  public func parameters(of url: String) -> [String: String] {
    let query = url.drop { $0 != "?" }.dropFirst()
    return Dictionary(
      FormFields(decoding: query).fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Signs the user in and returns the URL of the response.
  ///
  /// - Parameters:
  ///   - url: The URL of a begun sign-in.
  ///   - changes: Fields of the response to add or replace; a nil value removes a field.
  /// - Returns: The URL, or nil if the user is not allowed or the request is invalid.
  public func signIn(_ url: String, changes: [String: String?] = [:]) -> String? {
    let request = parameters(of: url)
    guard let tokens = tokens(request) else { return nil }
    var fields: [String: String] = [:]
    for member in tokens.members { fields[member.name] = member.value.text }
    fields["authority"] = request["authority"]
    fields["success"] = "1"
    for (name, value) in changes { fields[name] = value }
    return responseURL(to: url, fields)
  }

  /// Returns the URL of a response with fields; nil if the request has no valid key.
  public func responseURL(to url: String, _ fields: [String: String]) -> String? {
    let request = parameters(of: url)
    guard let place = request["brk_redirect_uri"] ?? request["redirect_uri"],
      let key = request["broker_key"].flatMap({ Base64URL.decode($0) }),
      let vector = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
    else { return nil }
    var form = FormFields()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      form.add(name, evenIfBlank: value)
    }
    if fields["broker_nonce"] == nil { form.add("broker_nonce", request["broker_nonce"]) }
    let plain = Array(form.encoded.utf8)
    guard
      let encrypted = try? AES._CBC.encrypt(plain, using: SymmetricKey(data: key), iv: vector)
    else { return nil }
    var query = FormFields()
    query.add("msg_protocol_ver", "3")
    query.add("response", Base64URL.encode(encrypted))
    query.add("hash", Hexadecimal.text(SHA256.hash(data: plain)).uppercased())
    return place + "?" + query.encoded
  }

  /// Returns the provider's token response for the user; nil if the sign-in fails.
  private func tokens(_ request: [String: String]) -> JSONObject? {
    guard let authority = request["authority"], let client = request["client_id"],
      let place = request["redirect_uri"]
    else { return nil }
    let secrets = AuthorizationSecrets(LocalProvider.systemRandomBytes)
    let scopes = Scopes(
      parsing: [request["scope"], request["extra_oidc_scopes"]].compactMap(\.self)
        .joined(separator: " "))
    let base = authority + "/oauth2/v2.0"
    var page = AuthorizationRequest(
      to: base + "/authorize", clientID: client, redirectURI: place, scopes: scopes,
      secrets: secrets)
    page.requestsClientInfo = true
    guard let answer = browser.visit(page.address),
      let fields = try? AuthorizationResponse.fields(of: answer), let code = fields["code"]
    else { return nil }
    let exchange = TokenRequest(
      grant: .authorizationCode(Secret(code), redirectURI: place, verifier: secrets.verifier),
      clientID: client, scopes: scopes, requestsClientInfo: true)
    return provider.handle(exchange.httpRequest(to: base + "/token")).json
  }
}
