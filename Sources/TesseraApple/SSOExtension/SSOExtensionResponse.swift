// SPDX-License-Identifier: MIT
// The response of the single sign-on extension: the common members, and the content by response type.

package import TesseraWire

/// A response of Microsoft's single sign-on extension.
///
/// The host application reads it from `authenticatedResponse.allHeaderFields` of an
/// `ASAuthorizationSingleSignOnCredential`. Only its format is checked here.
public struct SSOExtensionResponse: Sendable, Hashable {
  /// The content of a response, by type (`operation_response_type`).
  public enum Content: Sendable, Hashable {
    /// No content.
    case nothing
    /// The accounts of the broker.
    case accounts([SSOExtensionAccount])
    /// The account of a shared device; nil if it has none.
    case account(SSOExtensionAccount?)
    /// Single sign-on header fields for a browser.
    case cookies(SSOExtensionCookies)
    /// Tokens, or the error of the server.
    case tokens(SSOExtensionTokenResponse)
    /// The assertion of the passkey; nil if the operation failed.
    case passkeyAssertion(SSOExtensionPasskeyAssertion?)
    /// The passkey of the broker; nil if the operation failed.
    case passkeyCredential(SSOExtensionPasskeyCredential?)
    /// The response to a native message.
    case browserMessage(BrowserMessageResponse)
    /// The native message methods that the broker supports.
    case contracts([String])
  }

  /// The operation of the request.
  public let operation: String
  /// The response type.
  public let type: String
  /// Whether the operation succeeded.
  public let hasSucceeded: Bool
  /// The version of the application that contains the broker.
  public let appVersion: String?
  /// The time at which the extension received the request, on this machine's wall clock.
  package let requestReceivedOn: Instant?
  /// The time at which the extension created the response, on this machine's wall clock.
  package let responseCreatedOn: Instant?
  /// The state of the device and of the broker.
  public let device: SSOExtensionDevice
  /// The content.
  public let content: Content

  /// Reads the header fields of a response.
  ///
  /// - Throws: ``WireError`` `sso_extension_response` if a member is missing or invalid. The message quotes no value.
  package init(_ fields: JSONObject) throws(WireError) {
    operation = try fields.requiredText("operation")
    type = try fields.requiredText("operation_response_type")
    guard let success = fields["success"]?.flag else {
      throw .invalidSSOExtensionResponse("success")
    }
    let content = try Content(fields, type: type, hasSucceeded: success)
    self.content = content
    // A list of accounts is a success regardless of its flag (MSAL for Apple).
    if case .accounts = content { hasSucceeded = true } else { hasSucceeded = success }
    appVersion = fields["client_app_version"]?.string?.nonBlank
    requestReceivedOn = fields.time("request_received_timestamp")
    responseCreatedOn = fields.time("response_gen_timestamp")
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
        throw .invalidSSOExtensionResponse("home_account_id")
      }
      self = .account(account)
    case "operation_get_sso_cookies_response":
      self = .cookies(try SSOExtensionCookies(fields["sso_cookies"]))
    case "operation_token_response":
      self = .tokens(try SSOExtensionTokenResponse(fields, hasSucceeded: hasSucceeded))
    case "operation_get_passkey_assertion_response":
      self = .passkeyAssertion(hasSucceeded ? try SSOExtensionPasskeyAssertion(fields) : nil)
    case "operation_get_passkey_credential_response":
      self = .passkeyCredential(hasSucceeded ? try SSOExtensionPasskeyCredential(fields) : nil)
    case "operation_browser_native_message_response":
      self = .browserMessage(try BrowserMessageResponse(try fields.requiredText("payload")))
    case "operation_browser_native_get_supported_contracts_response":
      self = .contracts(
        try fields.requiredText("contracts").split(separator: ",").map { String($0).trimmed })
    default: throw .invalidSSOExtensionResponse("operation_response_type")
    }
  }
}

extension WireError {
  /// Creates the error for a response with a missing or invalid member.
  static func invalidSSOExtensionResponse(_ member: String) -> WireError {
    WireError(
      "sso_extension_response",
      "The response of the single sign-on extension has no valid \"\(member)\".")
  }
}

extension JSONObject {
  /// Returns a required string member.
  func requiredText(_ name: String) throws(WireError) -> String {
    guard let text = self[name]?.string?.nonBlank else { throw .invalidSSOExtensionResponse(name) }
    return text
  }

  /// Returns a time in whole seconds, without the fraction that the extension sends; nil if it is absent or not positive.
  fileprivate func time(_ name: String) -> Instant? {
    self[name]?.integer.flatMap { $0 > 0 ? Instant(secondsSince1970: $0) : nil }
  }
}

extension JSONValue {
  /// A boolean or a boolean in a string; nil for other values.
  var flag: Bool? {
    if case .bool(let value) = self { return value }
    return text?.nonBlank?.isTrue
  }

  /// An object or an object in a string; nil for other values.
  var embeddedObject: JSONObject? {
    if let object { return object }
    guard let text = string?.nonBlank else { return nil }
    return (try? JSONValue(parsing: text))?.object
  }
}
