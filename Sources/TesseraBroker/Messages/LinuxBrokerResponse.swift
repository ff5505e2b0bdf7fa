// SPDX-License-Identifier: MIT
// A response of the Linux identity broker, parsed tolerantly because implementations differ.

package import TesseraWire

/// A successful response of the broker.
package struct LinuxBrokerResponse: Sendable, Equatable {
  private let json: JSONObject

  /// Parses the string that a method returned.
  ///
  /// - Throws: ``LinuxBrokerError``: the broker's error, at the top level or next to the tokens, or malformed JSON.
  package init(_ text: String) throws(LinuxBrokerError) {
    let limits = JSONValue.Limits(bytes: LinuxBroker.maximumResponseSize)
    guard let json = (try? JSONValue(parsing: text, limits: limits))?.object else {
      throw LinuxBrokerResponse.malformed(
        "The response of the identity broker is not a JSON object.")
    }
    self.json = json
    let tokens = json["brokerTokenResponse"]?.object ?? [:]
    for part in [json, tokens] {
      guard let error = part["error"], error != .null else { continue }
      let subError = part["subError"]?.string ?? tokens["subError"]?.string
      throw .errorResponse(LinuxBrokerErrorResponse(error, subError: subError))
    }
  }

  /// Returns the version of the broker.
  package func version() throws(LinuxBrokerError) -> String {
    guard let version = json["linuxBrokerVersion"]?.text?.nonBlank else {
      throw LinuxBrokerResponse.malformed("The response of the identity broker has no version.")
    }
    return version.plain(atMost: 50)
  }

  /// Returns the accounts, without those that have no home account ID.
  package func accounts() throws(LinuxBrokerError) -> [LinuxBrokerAccount] {
    guard let list = json["accounts"]?.array else {
      // The broker returns null for an empty list.
      guard json["accounts"] == .null else {
        throw LinuxBrokerResponse.malformed("The response of the identity broker has no accounts.")
      }
      return []
    }
    return list.compactMap { $0.object.flatMap(LinuxBrokerAccount.init) }
  }

  /// Returns the single sign-on cookies for a browser.
  ///
  /// Older brokers send one, brokers since 2.0.2 a list.
  package func cookies() throws(LinuxBrokerError) -> [LinuxBrokerCookie] {
    let items = json["cookieItems"]?.array?.compactMap(\.object) ?? [json]
    let cookies = items.compactMap(LinuxBrokerCookie.init)
    guard !cookies.isEmpty else {
      throw LinuxBrokerResponse.malformed("The response of the identity broker has no cookie.")
    }
    return cookies
  }

  /// Returns the signature of a request.
  package func signedRequest() throws(LinuxBrokerError) -> Secret {
    guard let text = json["signedHttpRequest"]?.string?.nonBlank else {
      throw LinuxBrokerResponse.malformed(
        "The response of the identity broker has no signed request.")
    }
    return Secret(text)
  }

  /// Returns the tokens in the form of a token endpoint response (RFC 6749 section 5.1), without a refresh token.
  package func tokenResponse() throws(LinuxBrokerError) -> JSONObject {
    guard let tokens = json["brokerTokenResponse"]?.object else {
      throw LinuxBrokerResponse.malformed("The response of the identity broker has no tokens.")
    }
    let account = (tokens["account"]?.object ?? json["account"]?.object)
      .flatMap(LinuxBrokerAccount.init)
    var response = JSONObject()
    response.append("access_token", tokens["accessToken"]?.string)
    response.append("token_type", LinuxBrokerResponse.tokenType(tokens["accessTokenType"]))
    response.append("expires_on", LinuxBrokerResponse.seconds(tokens["expiresOn"]))
    response.append("ext_expires_on", LinuxBrokerResponse.seconds(tokens["extendedExpiresOn"]))
    response.append("scope", LinuxBrokerResponse.scope(tokens["grantedScopes"]))
    response.append("id_token", tokens["idToken"]?.string?.nonBlank)
    response.append(
      "client_info", LinuxBrokerAccount.clientInfo(tokens) ?? account?.clientInfo)
    return response
  }

  /// Returns the token type: `Bearer` for zero or an absent value, any other value as it is.
  private static func tokenType(_ value: JSONValue?) -> String {
    guard let text = value?.text?.nonBlank, value?.integer != 0 else { return "Bearer" }
    return text
  }

  /// Converts a time in seconds or milliseconds since 1970 to seconds.
  ///
  /// Himmelblau uses both units. Returns nil for values out of range for both units. A token that expires in thousands
  /// of years would never be refreshed.
  private static func seconds(_ value: JSONValue?) -> JSONValue? {
    let latest: Int64 = 100_000_000_000
    guard let number = value?.integer, number > 0 else { return nil }
    let seconds = number > latest ? number / 1000 : number
    return seconds > latest ? nil : .integer(seconds)
  }

  /// Returns the scopes separated by spaces, from a string or a list.
  private static func scope(_ value: JSONValue?) -> String? {
    value?.string ?? value?.array.map { $0.compactMap(\.string).joined(separator: " ") }
  }

  private static func malformed(_ message: String) -> LinuxBrokerError {
    .malformed(WireError("broker_answer_invalid", message))
  }
}

/// A single sign-on cookie for the provider's sign-in pages.
package struct LinuxBrokerCookie: Sendable, Equatable {
  /// The cookie name, such as `x-ms-RefreshTokenCredential`.
  package let name: String
  package let content: Secret

  /// Reads a cookie; nil if it contains characters that are invalid in a header field (RFC 6265 section 4.1.1).
  init?(_ json: JSONObject) {
    guard let name = json["cookieName"]?.string?.nonBlank,
      let content = json["cookieContent"]?.string?.nonBlank,
      (name + content).utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") })
    else { return nil }
    self.name = name
    self.content = Secret(content)
  }
}
