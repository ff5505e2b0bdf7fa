// SPDX-License-Identifier: MIT
// What the single sign-on extension answers: the envelope, and what is in it by the kind of the answer.

/// An answer of Microsoft's single sign-on extension.
///
/// The host takes it out of `authenticatedResponse.allHeaderFields` of an `ASAuthorizationSingleSignOnCredential`. Nothing
/// of it is checked here but its form.
public struct SSOExtensionResponse: Sendable, Hashable {
  /// What an answer holds, by its kind (`operation_response_type`).
  public enum Content: Sendable, Hashable {
    /// Nothing but whether it succeeded.
    case nothing
    /// The accounts that the broker knows.
    case accounts([SSOExtensionAccount])
    /// The account of the device; nil where it has none.
    case account(SSOExtensionAccount?)
    /// Header fields that sign a browser in.
    case cookies(SSOExtensionCookies)
    /// Tokens, or why there are none.
    case tokens(SSOExtensionTokenAnswer)
    /// The signature of a passkey; nil where there is none.
    case passkeyAssertion(SSOExtensionPasskeyAssertion?)
    /// The passkey of the broker; nil where there is none.
    case passkeyCredential(SSOExtensionPasskeyCredential?)
    /// The answer to a page's message.
    case browserMessage(BrowserMessageAnswer)
    /// The methods of pages' messages that the broker knows.
    case contracts([String])
  }

  /// The operation that it answers.
  public let operation: String
  /// The kind of the answer.
  public let type: String
  /// Whether the operation succeeded.
  public let hasSucceeded: Bool
  /// The version of the broker's program.
  public let appVersion: String?
  /// When the extension got the request, by the wall clock of this machine.
  public let requestReceivedAt: Instant?
  /// When the extension made the answer.
  public let responseMadeAt: Instant?
  /// What the device and the broker are like.
  public let device: SSOExtensionDevice
  /// What is in it.
  public let content: Content

  /// Reads the header fields of an answer.
  ///
  /// - Throws: ``WireError`` with code `sso_extension_response` for what is no such answer; it quotes nothing.
  package init(_ fields: JSONObject) throws(WireError) {
    operation = try fields.requiredText("operation")
    type = try fields.requiredText("operation_response_type")
    guard let success = fields["success"]?.flag else { throw .noSSOExtensionResponse("success") }
    let content = try Content(fields, type: type, hasSucceeded: success)
    self.content = content
    // MSAL for Apple: a list of accounts is a success however it is marked.
    if case .accounts = content { hasSucceeded = true } else { hasSucceeded = success }
    appVersion = fields["client_app_version"]?.string?.nonBlank
    requestReceivedAt = fields.time("request_received_timestamp")
    responseMadeAt = fields.time("response_gen_timestamp")
    device = SSOExtensionDevice(fields)
  }
}

extension SSOExtensionResponse.Content {
  fileprivate init(_ fields: JSONObject, type: String, hasSucceeded: Bool) throws(WireError) {
    switch type {
    case "operation_generic_response": self = .nothing
    case "operation_get_accounts_response":
      self = .accounts(try SSOExtensionAccount.list(fields["accounts"]))
    case "operation_get_default_account_response":
      guard hasSucceeded else {
        self = .account(nil)
        return
      }
      guard let account = SSOExtensionAccount(fields) else {
        throw .noSSOExtensionResponse("home_account_id")
      }
      self = .account(account)
    case "operation_get_sso_cookies_response":
      self = .cookies(try SSOExtensionCookies(fields["sso_cookies"]))
    case "operation_token_response":
      self = .tokens(try SSOExtensionTokenAnswer(fields, hasSucceeded: hasSucceeded))
    case "operation_get_passkey_assertion_response":
      self = .passkeyAssertion(hasSucceeded ? try SSOExtensionPasskeyAssertion(fields) : nil)
    case "operation_get_passkey_credential_response":
      self = .passkeyCredential(hasSucceeded ? try SSOExtensionPasskeyCredential(fields) : nil)
    case "operation_browser_native_message_response":
      self = .browserMessage(try BrowserMessageAnswer(try fields.requiredText("payload")))
    case "operation_browser_native_get_supported_contracts_response":
      self = .contracts(
        try fields.requiredText("contracts").split(separator: ",").map { String($0).trimmed })
    default: throw .noSSOExtensionResponse("operation_response_type")
    }
  }
}

extension WireError {
  /// An answer of the extension that lacks something, or has something else there.
  static func noSSOExtensionResponse(_ member: String) -> WireError {
    WireError(
      "sso_extension_response",
      "The single sign-on extension answered without a \"\(member)\" that can be used.")
  }
}

extension JSONObject {
  /// A text that must be there.
  func requiredText(_ name: String) throws(WireError) -> String {
    guard let text = self[name]?.string?.nonBlank else { throw .noSSOExtensionResponse(name) }
    return text
  }

  /// A time, which the extension writes with a fraction.
  fileprivate func time(_ name: String) -> Instant? {
    self[name]?.integer.flatMap { $0 > 0 ? Instant(secondsSince1970: $0) : nil }
  }
}

extension JSONValue {
  /// A truth value, which the extension writes as a text; nil for what is none.
  var flag: Bool? {
    if case .bool(let value) = self { return value }
    return text?.nonBlank?.isTrue
  }

  /// An object, or one that is written as a text; nil for anything else.
  var objectInText: JSONObject? {
    if let object { return object }
    guard let text = string?.nonBlank else { return nil }
    return (try? JSONValue(parsing: text))?.object
  }
}
