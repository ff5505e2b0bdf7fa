// SPDX-License-Identifier: MIT
// The broker's response to a web page's native message.

public import TesseraWire

/// The broker's response to a native message.
///
/// A GetToken response has an account and properties in addition to the tokens. A GetCookies response has a list. A
/// SignOut response is empty (MSAL for Apple, `MSIDBrowserNativeMessageGetTokenResponse`,
/// `MSIDBrowserNativeMessageGetCookiesResponse`).
public struct BrowserMessageResponse: Sendable, Hashable {
  /// A single sign-on cookie for the browser.
  public struct Cookie: Sendable, Hashable {
    /// The cookie name.
    public let name: String
    /// The cookie value, which is a credential.
    public let value: Secret
  }

  /// The complete response as JSON text, including tokens, to be passed to the page.
  public let payload: Secret
  /// The home account ID of the token's account (`account.id`).
  public let homeAccountID: String?
  /// The user name (`account.userName`, or `properties.UPN`).
  public let username: String?
  /// The `state` of the request.
  public let state: String?
  /// The broker's telemetry for the request (`properties.MATS`), as JSON text.
  ///
  /// It contains no personal data.
  public let report: String?
  /// The cookies, in the order of the response.
  public let cookies: [Cookie]

  init(_ text: String) throws(WireError) {
    guard let json = (try? JSONValue(parsing: text))?.object else {
      throw .invalidSSOExtensionResponse("payload")
    }
    payload = Secret(text)
    let account = json["account"]?.object
    let properties = json["properties"]?.object
    homeAccountID = account?["id"]?.string?.nonBlank
    username = account?["userName"]?.string?.nonBlank ?? properties?["UPN"]?.string?.nonBlank
    state = json["state"]?.string?.nonBlank
    report = properties?["MATS"]?.embeddedObject.map {
      String(decoding: JSONValue.object($0).bytes, as: UTF8.self)
    }
    cookies = (json["response"]?.array ?? []).compactMap { element in
      guard let name = element.object?["name"]?.string?.nonBlank,
        let value = element.object?["data"]?.string?.nonBlank
      else { return nil }
      return Cookie(name: name, value: Secret(value))
    }
  }
}
