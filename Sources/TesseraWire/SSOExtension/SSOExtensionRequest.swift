// SPDX-License-Identifier: MIT
// What a program asks the single sign-on extension of an Apple system: one operation, as flat texts.

/// A request to Microsoft's single sign-on extension on an Apple system.
///
/// The host sends it: ``operation`` is the `requestedOperation` of an `ASAuthorizationSingleSignOnRequest`, and what it
/// is made of are the query items of its `authorizationOptions`.
public struct SSOExtensionRequest: Sendable, Hashable {
  /// Who asks.
  public var caller: SSOExtensionCaller
  /// What is asked.
  public var action: SSOExtensionAction

  /// A request of a program.
  public init(_ action: SSOExtensionAction, from caller: SSOExtensionCaller) {
    self.action = action
    self.caller = caller
  }

  /// The name of the operation (`requestedOperation`).
  public var operation: String { action.operation }

  /// The texts by name, in the order of the names; what is empty is left out.
  ///
  /// - Throws: ``WireError`` where something is missing that the extension must have.
  package func texts() throws(WireError) -> [(name: String, value: String)] {
    var texts = SSOExtensionTexts()
    try caller.write(to: &texts)
    try action.write(to: &texts)
    return texts.sorted
  }
}

/// What is asked of the extension.
public enum SSOExtensionAction: Sendable, Hashable {
  /// Sign somebody in, on the extension's page.
  case login(SSOExtensionTokens, SSOExtensionPage)
  /// Get a token without showing anything; it names an account.
  case refresh(SSOExtensionTokens)
  /// List the accounts for an application and its family.
  case accounts(clientID: String, familyID: String?, signedInOnly: Bool)
  /// Remove an account from the broker, for an application.
  case removeAccount(SSOExtensionPerson, clientID: String)
  /// Sign an account out, on the whole device.
  case signOut(SSOExtensionSignOut)
  /// Ask for the account of the device, where it is shared.
  case defaultAccount
  /// Ask what the device and the broker are like.
  case deviceInfo
  /// Ask for the header fields that sign a browser in at an address.
  case cookies(SSOExtensionCookieRequest)
  /// Let the passkey of the broker sign.
  case passkeyAssertion(SSOExtensionPasskeyRequest)
  /// Ask which passkey the broker has.
  case passkeyCredential
  /// Pass on what a page in a browser asks.
  case browserMessage(BrowserMessage, from: BrowserProcess)
  /// Ask which messages of browsers the broker knows.
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
  /// A request to the extension lacks something.
  package static func missingInSSOExtensionRequest(_ what: String) -> WireError {
    WireError("sso_extension_request", "The single sign-on extension wants \(what).")
  }
}
