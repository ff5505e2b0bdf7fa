// SPDX-License-Identifier: MIT
// The request to the single sign-on extension: an operation with string parameters.

package import TesseraWire

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
  package func parameters() throws(WireError) -> [(name: String, value: String)] {
    var parameters = SSOExtensionParameters()
    try caller.write(to: &parameters)
    try action.write(to: &parameters)
    return parameters.sorted
  }
}

/// An operation of the extension, with its parameters.
public enum SSOExtensionAction: Sendable, Hashable {
  /// Sign in interactively, in the extension's window.
  case login(SSOExtensionTokenRequest, SSOExtensionInteractiveOptions)
  /// Acquire a token silently.
  ///
  /// The request must name an account.
  case refresh(SSOExtensionTokenRequest)
  /// List the accounts for an application and its family.
  case accounts(clientID: String, familyID: String?, signedInOnly: Bool)
  /// Remove an account from the broker for an application.
  case removeAccount(SSOExtensionAccountIdentifier, clientID: String)
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

  fileprivate func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    switch self {
    case .login(let tokens, let page):
      try tokens.write(to: &parameters)
      page.write(to: &parameters)
    case .refresh(let tokens):
      try tokens.write(to: &parameters)
      guard tokens.account.isNamed else { throw .missingSSOExtensionParameter("an account") }
    case .accounts(let clientID, let familyID, let signedInOnly):
      try parameters.require("client_id", clientID)
      parameters.add("family_id", familyID)
      parameters.add("signed_in_accounts_only", signedInOnly)
    case .removeAccount(let account, let clientID):
      guard account.isNamed else { throw .missingSSOExtensionParameter("an account") }
      account.write(to: &parameters)
      try parameters.require("client_id", clientID)
    case .signOut(let signOut): try signOut.write(to: &parameters)
    case .cookies(let cookies): try cookies.write(to: &parameters)
    case .passkeyAssertion(let passkey): try passkey.write(to: &parameters)
    case .browserMessage(let message, let process):
      try parameters.require("payload", message.text())
      process.write(to: &parameters)
    case .defaultAccount, .deviceInfo, .passkeyCredential, .supportedContracts: break
    }
  }
}

extension WireError {
  /// Creates the error for a request with a missing or invalid parameter.
  package static func missingSSOExtensionParameter(_ what: String) -> WireError {
    WireError(
      "sso_extension_request", "The request to the single sign-on extension requires \(what).")
  }
}
