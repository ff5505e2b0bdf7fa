// SPDX-License-Identifier: MIT
// The request to the single sign-on extension: an operation with string parameters.

/// A request to Microsoft's single sign-on extension on an Apple system.
///
/// The host application sends it with an `ASAuthorizationSingleSignOnRequest`. ``operation`` is its
/// `requestedOperation`. The parameters are the query items of its `authorizationOptions`.
public struct SSOExtensionRequest: Sendable, Hashable {
  /// The calling application.
  public var caller: SSOExtensionCaller
  /// The operation, with its parameters.
  public var action: SSOExtensionAction

  /// Creates a request.
  public init(_ action: SSOExtensionAction, from caller: SSOExtensionCaller) {
    self.action = action
    self.caller = caller
  }

  /// The name of the operation (`requestedOperation`).
  public var operation: String { action.operation }

  /// Returns the parameters, sorted by name.
  ///
  /// Blank values are omitted.
  ///
  /// - Throws: ``WireError`` `sso_extension_request` if a required parameter is missing or invalid.
  package func texts() throws(WireError) -> [(name: String, value: String)] {
    var texts = SSOExtensionTexts()
    try caller.write(to: &texts)
    try action.write(to: &texts)
    return texts.sorted
  }
}

/// An operation of the extension, with its parameters.
public enum SSOExtensionAction: Sendable, Hashable {
  /// Sign in interactively, in the extension's window.
  case login(SSOExtensionTokens, SSOExtensionPage)
  /// Acquire a token silently.
  ///
  /// The request must name an account.
  case refresh(SSOExtensionTokens)
  /// List the accounts for an application and its family.
  case accounts(clientID: String, familyID: String?, signedInOnly: Bool)
  /// Remove an account from the broker for an application.
  case removeAccount(SSOExtensionPerson, clientID: String)
  /// Sign an account out on the entire device.
  case signOut(SSOExtensionSignOut)
  /// Get the account of a shared device.
  case defaultAccount
  /// Get the state of the device and of the broker.
  case deviceInfo
  /// Get the single sign-on header fields for a URL.
  case cookies(SSOExtensionCookieRequest)
  /// Sign with the broker's passkey.
  case passkeyAssertion(SSOExtensionPasskeyRequest)
  /// Get the ID of the broker's passkey.
  case passkeyCredential
  /// Forward a native message from a web page.
  case browserMessage(BrowserMessage, from: BrowserProcess)
  /// Get the native message methods that the broker supports.
  case supportedContracts

  /// The name of the operation.
  public var operation: String {
    switch self {
    case .login: "login"
    case .refresh: "refresh"
    case .accounts: "get_accounts_operation"
    case .removeAccount: "remove_account_operation"
    case .signOut: "signout_account_operation"
    case .defaultAccount: "get_default_account"
    case .deviceInfo: "get_device_info"
    case .cookies: "get_sso_cookies"
    case .passkeyAssertion: "passkey_assertion_operation"
    case .passkeyCredential: "passkey_credential_operation"
    case .browserMessage: "browser_native_message_operation"
    case .supportedContracts: "browser_native_get_supported_contracts_operation"
    }
  }

  fileprivate func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    switch self {
    case .login(let tokens, let page):
      try tokens.write(to: &texts)
      page.write(to: &texts)
    case .refresh(let tokens):
      try tokens.write(to: &texts)
      guard tokens.person.isNamed else { throw .missingInSSOExtensionRequest("an account") }
    case .accounts(let clientID, let familyID, let signedInOnly):
      try texts.require("client_id", clientID)
      texts.add("family_id", familyID)
      texts.add("signed_in_accounts_only", signedInOnly)
    case .removeAccount(let person, let clientID):
      guard person.isNamed else { throw .missingInSSOExtensionRequest("an account") }
      person.write(to: &texts)
      try texts.require("client_id", clientID)
    case .signOut(let signOut): try signOut.write(to: &texts)
    case .cookies(let cookies): try cookies.write(to: &texts)
    case .passkeyAssertion(let passkey): try passkey.write(to: &texts)
    case .browserMessage(let message, let process):
      try texts.require("payload", message.text())
      process.write(to: &texts)
    case .defaultAccount, .deviceInfo, .passkeyCredential, .supportedContracts: break
    }
  }
}

extension WireError {
  /// Creates the error for a request with a missing or invalid parameter.
  package static func missingInSSOExtensionRequest(_ what: String) -> WireError {
    WireError("sso_extension_request", "The single sign-on extension wants \(what).")
  }
}
