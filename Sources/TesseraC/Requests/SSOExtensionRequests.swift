// SPDX-License-Identifier: MIT
// Parsing of JSON requests to the single sign-on extension, by operation.

import TesseraEngine
import TesseraWire

#if TesseraApple
  import TesseraApple

  extension SSOExtensionRequest {
    /// Parses "SSOExtensionRequest" of docs/brokers.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let document = try RequestDocument(
        text, "request", accepting: SSOExtensionOperationName.known)
      let caller = SSOExtensionCallerMembers(document)
      self.init(try caller.operation.action(text), from: try SSOExtensionCaller(caller))
    }
  }

  extension SSOExtensionCaller {
    fileprivate init(_ members: SSOExtensionCallerMembers) throws(TesseraError) {
      self.init(brokerKey: try members.brokerKey.map(Secret.init))
      let isWithoutKey = try members.withoutBrokerKey ?? false
      guard (brokerKey == nil) == isWithoutKey else {
        throw TesseraError(
          .fixRequest, brokerKey == nil ? .missingParameter : .invalidMember,
          "Pass \"broker_key\", or \"without_broker_key\": true for a macOS application without a broker key."
        )
      }
      clientVersion = try members.clientVersion
      clientAppName = try members.clientAppName
      clientAppVersion = try members.clientAppVersion
      correlationID = try members.correlationID
      clientSDK = try members.clientSDK
      platformSequence = try members.platformSequence
    }
  }

  /// The operations.
  ///
  /// The raw values are the extension's names for them.
  enum SSOExtensionOperationName: String, CaseIterable {
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

    /// The members of all operations.
    fileprivate static var known: KnownMembers {
      let names =
        SSOExtensionLoginMembers.names + SSOExtensionAccountsRequestMembers.names
        + SSOExtensionSignOutMembers.names + SSOExtensionCookieRequestMembers.names
        + SSOExtensionPasskeyRequestMembers.names + SSOExtensionBrowserMessageMembers.names
      return KnownMembers(names: names, moved: { [:] }, reserved: [])
    }

    /// Parses the members of the operation.
    fileprivate func action(
      _ text: UnsafePointer<CChar>?
    ) throws(TesseraError) -> SSOExtensionAction {
      switch self {
      case .login:
        let members = try SSOExtensionLoginMembers(text)
        return .login(
          try SSOExtensionTokenRequest(members.tokenRequest),
          try SSOExtensionInteractiveOptions(members))
      case .refresh:
        let members = try SSOExtensionRefreshMembers(text)
        return .refresh(try SSOExtensionTokenRequest(members.tokenRequest))
      case .accounts:
        let members = try SSOExtensionAccountsRequestMembers(text)
        return .accounts(
          clientID: try members.clientID, familyID: try members.familyID,
          signedInOnly: try members.signedInOnly ?? true)
      case .removeAccount:
        let members = try SSOExtensionRemovalMembers(text)
        return .removeAccount(
          try SSOExtensionAccountIdentifier(members.accountIdentifier),
          clientID: try members.clientID)
      case .signOut: return .signOut(try SSOExtensionSignOut(SSOExtensionSignOutMembers(text)))
      case .cookies:
        return .cookies(try SSOExtensionCookieRequest(SSOExtensionCookieRequestMembers(text)))
      case .passkeyAssertion:
        return .passkeyAssertion(
          try SSOExtensionPasskeyRequest(SSOExtensionPasskeyRequestMembers(text)))
      case .browserMessage:
        let members = try SSOExtensionBrowserMessageMembers(text)
        return .browserMessage(try BrowserMessage(members), from: try BrowserProcess(members))
      case .defaultAccount: return try SSOExtensionAction.defaultAccount.withoutMembers(text)
      case .deviceInfo: return try SSOExtensionAction.deviceInfo.withoutMembers(text)
      case .passkeyCredential: return try SSOExtensionAction.passkeyCredential.withoutMembers(text)
      case .supportedContracts:
        return try SSOExtensionAction.supportedContracts.withoutMembers(text)
      }
    }
  }

  extension SSOExtensionAction {
    /// Returns the action.
    ///
    /// - Throws: `fixRequest` if the request has members in addition to those of all operations.
    fileprivate func withoutMembers(
      _ text: UnsafePointer<CChar>?
    ) throws(TesseraError) -> SSOExtensionAction {
      _ = try SSOExtensionDeviceRequestMembers(text)
      return self
    }
  }

  extension SSOExtensionSignOut {
    fileprivate init(_ members: SSOExtensionSignOutMembers) throws(TesseraError) {
      self.init(
        try SSOExtensionAccountIdentifier(members.accountIdentifier),
        clientID: try members.clientID,
        authority: try members.authority,
        redirectURI: try members.redirectURI)
      if let value = try members.providerType {
        provider = value
      }
      if let value = try members.signoutFromBrowser { signsOutFromBrowser = value }
      clearsCookies = try members.clearSSOExtensionCookies ?? false
      wipesAccount = try members.wipeAccount ?? false
      wipesAllAccounts = try members.wipeCacheAllAccounts ?? false
    }
  }

  extension SSOExtensionCookieRequest {
    fileprivate init(_ members: SSOExtensionCookieRequestMembers) throws(TesseraError) {
      self.init(url: try members.url)
      let names = ["all", "primary_refresh_token", "device_registration"]
      if let list = try members.typesOfHeader {
        let known = list.map { name in names.firstIndex(of: name) }
        headers = known.compactMap { $0.flatMap(SSOExtensionHeader.init(rawValue:)) }
        guard headers.count == list.count else {
          throw TesseraError(
            .fixRequest, .invalidMember,
            "\"types_of_header\" must be an array of these values: \(names.map { "\"\($0)\"" }.joined(separator: ", "))."
          )
        }
      }
      let account = try SSOExtensionAccountIdentifier(members.accountIdentifier)
      self.account = account == SSOExtensionAccountIdentifier() ? nil : account
    }
  }

  extension SSOExtensionPasskeyRequest {
    fileprivate init(_ members: SSOExtensionPasskeyRequestMembers) throws(TesseraError) {
      self.init(
        clientDataHash: try members.clientDataHash,
        relyingPartyID: try members.relyingPartyID,
        keyID: try members.keyID)
    }
  }
#endif
