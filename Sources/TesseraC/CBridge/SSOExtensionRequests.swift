// SPDX-License-Identifier: MIT
// Parsing of JSON requests to the single sign-on extension, by operation.

import TesseraEngine
import TesseraWire

extension SSOExtensionRequest {
  /// Parses "SSOExtensionRequest" of docs/brokers.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let any = Operation.allCases.flatMap(\.members)
    let first = try RequestDocument(text, "request", accepting: Operation.common + any)
    guard let operation = try first.choice("operation", Operation.self) else {
      throw TesseraError(.fixRequest, .missingParameter, "The member \"operation\" is missing.")
    }
    let document = try RequestDocument(
      text, "request", accepting: Operation.common + operation.members)
    self.init(try operation.action(document), from: try SSOExtensionCaller(document))
  }
}

extension SSOExtensionCaller {
  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init(brokerKey: try document.string("broker_key").map(Secret.init))
    let isWithoutKey = try document.bool("without_broker_key") ?? false
    guard (brokerKey == nil) == isWithoutKey else {
      throw TesseraError(
        .fixRequest, brokerKey == nil ? .missingParameter : .invalidMember,
        "Pass \"broker_key\", or \"without_broker_key\": true for a macOS application without a broker key."
      )
    }
    clientVersion = try document.string("client_version")
    clientAppName = try document.string("client_app_name")
    clientAppVersion = try document.string("client_app_version")
    correlationID = try document.string("correlation_id")
    clientSDK = try document.string("client_sdk")
    platformSequence = try document.string("platform_sequence")
  }
}

/// The operations.
///
/// The raw values are the extension's names for them.
private enum Operation: String, CaseIterable {
  case login
  case refresh
  case accounts = "get_accounts_operation"
  case removeAccount = "remove_account_operation"
  case signOut = "signout_account_operation"
  case defaultAccount = "get_default_account"
  case deviceInfo = "get_device_info"
  case cookies = "get_sso_cookies"
  case passkeyAssertion = "passkey_assertion_operation"
  case passkeyCredential = "passkey_credential_operation"
  case browserMessage = "browser_native_message_operation"
  case supportedContracts = "browser_native_get_supported_contracts_operation"

  /// The members that all operations accept.
  static let common = [
    "operation", "broker_key", "without_broker_key", "client_version", "client_app_name",
    "client_app_version", "correlation_id", "client_sdk", "platform_sequence",
  ]

  /// The additional members that the operation accepts.
  var members: [String] {
    switch self {
    case .login: SSOExtensionTokenRequest.members + SSOExtensionInteractiveOptions.members
    case .refresh: SSOExtensionTokenRequest.members
    case .accounts: ["client_id", "family_id", "signed_in_only"]
    case .removeAccount: ["client_id", "home_account_id", "username"]
    case .signOut: SSOExtensionSignOut.members
    case .cookies: ["url", "types_of_header", "home_account_id", "username"]
    case .passkeyAssertion: ["client_data_hash", "relying_party_id", "key_id"]
    case .browserMessage: BrowserMessage.members + BrowserProcess.members
    case .defaultAccount, .deviceInfo, .passkeyCredential, .supportedContracts: []
    }
  }

  func action(_ document: RequestDocument) throws(TesseraError) -> SSOExtensionAction {
    switch self {
    case .login:
      .login(try SSOExtensionTokenRequest(document), try SSOExtensionInteractiveOptions(document))
    case .refresh: .refresh(try SSOExtensionTokenRequest(document))
    case .accounts:
      .accounts(
        clientID: try document.requiredString("client_id"),
        familyID: try document.string("family_id"),
        signedInOnly: try document.bool("signed_in_only") ?? true)
    case .removeAccount:
      .removeAccount(
        try SSOExtensionAccountIdentifier(document),
        clientID: try document.requiredString("client_id"))
    case .signOut: .signOut(try SSOExtensionSignOut(document))
    case .defaultAccount: .defaultAccount
    case .deviceInfo: .deviceInfo
    case .cookies: .cookies(try SSOExtensionCookieRequest(document))
    case .passkeyAssertion: .passkeyAssertion(try SSOExtensionPasskeyRequest(document))
    case .passkeyCredential: .passkeyCredential
    case .browserMessage:
      .browserMessage(try BrowserMessage(document), from: try BrowserProcess(document))
    case .supportedContracts: .supportedContracts
    }
  }
}

extension SSOExtensionSignOut {
  static let members = [
    "client_id", "authority", "redirect_uri", "provider_type", "home_account_id", "username",
    "signout_from_browser", "clear_sso_extension_cookies", "wipe_account",
    "wipe_cache_all_accounts",
  ]

  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      try SSOExtensionAccountIdentifier(document),
      clientID: try document.requiredString("client_id"),
      authority: try document.requiredString("authority"),
      redirectURI: try document.requiredString("redirect_uri"))
    if let value = try document.choice("provider_type", SSOExtensionProvider.self) {
      provider = value
    }
    if let value = try document.bool("signout_from_browser") { signsOutFromBrowser = value }
    clearsCookies = try document.bool("clear_sso_extension_cookies") ?? false
    wipesAccount = try document.bool("wipe_account") ?? false
    wipesAllAccounts = try document.bool("wipe_cache_all_accounts") ?? false
  }
}

extension SSOExtensionCookieRequest {
  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init(url: try document.requiredString("url"))
    let names = ["all", "primary_refresh_token", "device_registration"]
    if let list = try document.strings("types_of_header") {
      let known = list.map { name in names.firstIndex(of: name) }
      headers = known.compactMap { $0.flatMap(SSOExtensionHeader.init(rawValue:)) }
      guard headers.count == list.count else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"types_of_header\" must be an array of these values: \(names.map { "\"\($0)\"" }.joined(separator: ", "))."
        )
      }
    }
    let account = try SSOExtensionAccountIdentifier(document)
    self.account = account == SSOExtensionAccountIdentifier() ? nil : account
  }
}

extension SSOExtensionPasskeyRequest {
  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      clientDataHash: try document.hexadecimal("client_data_hash"),
      relyingPartyID: try document.requiredString("relying_party_id"),
      keyID: try document.hexadecimal("key_id"))
  }
}

extension RequestDocument {
  /// Returns the bytes of a required string of hexadecimal digits.
  fileprivate func hexadecimal(_ name: String) throws(TesseraError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(try requiredString(name)) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(name)\" must be a string of hexadecimal digits.")
    }
    return bytes
  }
}
