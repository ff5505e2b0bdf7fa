// SPDX-License-Identifier: MIT
// What the broker answers to a page's message.

/// The broker's answer to a page's message, by the members that it has.
///
/// GetToken has an account and properties beside the tokens, GetCookies a list, SignOut nothing (MSAL for Apple,
/// `MSIDBrowserNativeMessageGetTokenResponse`, `MSIDBrowserNativeMessageGetCookiesResponse`).
public struct BrowserMessageAnswer: Sendable, Hashable {
  /// A cookie for the browser.
  public struct Cookie: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its value: whoever has it can sign in.
    public let value: Secret
  }

  /// The whole answer as JSON text, tokens included: what the page gets.
  public let payload: Secret
  /// The account that the token is for (`account.id`).
  public let homeAccountID: String?
  /// The name of the person (`account.userName`, or `properties.UPN`).
  public let username: String?
  /// What the page sent along.
  public let state: String?
  /// What the broker reports of how it went (`properties.MATS`), as JSON text; no part of it is about the person.
  public let report: String?
  /// The cookies, in their order.
  public let cookies: [Cookie]

  init(_ text: String) throws(WireError) {
    guard let json = (try? JSONValue(parsing: text))?.object else {
      throw .noSSOExtensionResponse("payload")
    }
    payload = Secret(text)
    let account = json["account"]?.object
    let properties = json["properties"]?.object
    homeAccountID = account?["id"]?.string?.nonBlank
    username = account?["userName"]?.string?.nonBlank ?? properties?["UPN"]?.string?.nonBlank
    state = json["state"]?.string?.nonBlank
    report = properties?["MATS"]?.objectInText.map {
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
