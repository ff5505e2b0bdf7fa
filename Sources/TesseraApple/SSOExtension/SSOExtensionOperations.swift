// SPDX-License-Identifier: MIT
// The requests to the single sign-on extension for sign-out, browser header fields and passkeys.

import TesseraWire

/// A request to sign an account out on the device (MSAL for Apple, `MSIDBrokerOperationSignoutFromDeviceRequest`).
public struct SSOExtensionSignOut: Sendable, Hashable {
  /// The account.
  public var account: SSOExtensionAccountIdentifier
  /// The client ID of the application.
  public var clientID: String
  /// The authority URL.
  public var authority: String
  /// The redirect URI of the application.
  public var redirectURI: String
  /// The kind of authority.
  public var provider = SSOExtensionProvider.entra
  /// Whether to sign the account out in the browser as well.
  public var signsOutFromBrowser = true
  /// Whether to delete the cookies of the extension.
  public var clearsCookies = false
  /// Whether to remove the account from the device.
  public var wipesAccount = false
  /// Whether to clear the broker's cache for all accounts.
  public var wipesAllAccounts = false

  /// Creates a sign-out request.
  public init(
    _ account: SSOExtensionAccountIdentifier, clientID: String, authority: String,
    redirectURI: String
  ) {
    self.account = account
    self.clientID = clientID
    self.authority = authority
    self.redirectURI = redirectURI
  }

  func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    guard account.isNamed else { throw .missingSSOExtensionParameter("an account") }
    account.write(to: &parameters)
    try parameters.require("client_id", clientID)
    try parameters.require("authority", authority)
    try parameters.require("redirect_uri", redirectURI)
    parameters.add("provider_type", provider.rawValue)
    parameters.add("signout_from_browser", signsOutFromBrowser)
    parameters.add("clear_sso_extension_cookies", clearsCookies)
    parameters.add("wipe_account", wipesAccount)
    parameters.add("wipe_cache_all_accounts", wipesAllAccounts)
  }
}

/// The kind of header fields to return.
public enum SSOExtensionHeader: Int, Sendable, Hashable, CaseIterable {
  /// All header fields.
  case all = 0
  /// The header fields that authenticate a user.
  case primaryRefreshToken = 1
  /// The header fields that authenticate the device.
  case deviceRegistration = 2
}

/// A request for single sign-on header fields (MSAL for Apple, `MSIDBrokerOperationGetSsoCookiesRequest`).
public struct SSOExtensionCookieRequest: Sendable, Hashable {
  /// The URL that the browser is about to open.
  public var url: String
  /// The kinds of header fields to return.
  public var headers: [SSOExtensionHeader]
  /// The account; nil for all accounts.
  public var account: SSOExtensionAccountIdentifier?

  /// Creates a request for the header fields of a URL.
  public init(
    url: String, headers: [SSOExtensionHeader] = [.all],
    account: SSOExtensionAccountIdentifier? = nil
  ) {
    self.url = url
    self.headers = headers
    self.account = account
  }

  func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    try parameters.require("sso_url", url)
    try parameters.require(
      "types_of_header", headers.map { String($0.rawValue) }.joined(separator: ", "))
    guard let account else { return }
    guard account.homeAccountID?.nonBlank != nil else {
      throw .missingSSOExtensionParameter("the \"home_account_id\" of the account")
    }
    account.write(to: &parameters)
  }
}

/// A request for a signature by the broker's passkey (MSAL for Apple, `MSIDBrokerOperationPasskeyAssertionRequest`).
public struct SSOExtensionPasskeyRequest: Sendable, Hashable {
  /// The SHA-256 hash of the client data.
  public var clientDataHash: [UInt8]
  /// The relying party ID, such as `login.microsoft.com`.
  public var relyingPartyID: String
  /// The ID of the passkey.
  public var keyID: [UInt8]

  /// Creates a request for a signature.
  public init(clientDataHash: [UInt8], relyingPartyID: String, keyID: [UInt8]) {
    self.clientDataHash = clientDataHash
    self.relyingPartyID = relyingPartyID
    self.keyID = keyID
  }

  func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    try parameters.require("clientDataHash", Hexadecimal.text(clientDataHash))
    try parameters.require("relyingPartyId", relyingPartyID)
    try parameters.require("keyId", Hexadecimal.text(keyID))
  }
}
