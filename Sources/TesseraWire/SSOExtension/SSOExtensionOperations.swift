// SPDX-License-Identifier: MIT
// The smaller requests to the single sign-on extension: signing out, header fields for browsers, passkeys.

/// Signs an account out on the whole device (MSAL for Apple, `MSIDBrokerOperationSignoutFromDeviceRequest`).
public struct SSOExtensionSignOut: Sendable, Hashable {
  /// The account.
  public var person: SSOExtensionPerson
  /// The application.
  public var clientID: String
  /// The address of the authority.
  public var authority: String
  /// The redirect URI of the application.
  public var redirectURI: String
  /// The kind of the authority.
  public var provider = SSOExtensionProvider.entra
  /// Whether the account signs out of the browser as well.
  public var signsOutFromBrowser = true
  /// Whether the extension forgets its cookies.
  public var clearsCookies = false
  /// Whether the account is removed from the device.
  public var wipesAccount = false
  /// Whether the broker empties its cache of all accounts.
  public var wipesAllAccounts = false

  /// A sign-out of an account.
  public init(
    _ person: SSOExtensionPerson, clientID: String, authority: String, redirectURI: String
  ) {
    self.person = person
    self.clientID = clientID
    self.authority = authority
    self.redirectURI = redirectURI
  }

  func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    guard person.isNamed else { throw .missingInSSOExtensionRequest("an account") }
    person.write(to: &texts)
    try texts.require("client_id", clientID)
    try texts.require("authority", authority)
    try texts.require("redirect_uri", redirectURI)
    texts.add("provider_type", provider.rawValue)
    texts.add("signout_from_browser", signsOutFromBrowser)
    texts.add("clear_sso_extension_cookies", clearsCookies)
    texts.add("wipe_account", wipesAccount)
    texts.add("wipe_cache_all_accounts", wipesAllAccounts)
  }
}

/// Which header fields are wanted.
public enum SSOExtensionHeader: Int, Sendable, Hashable, CaseIterable {
  /// All of them.
  case all = 0
  /// Those that sign a person in.
  case primaryRefreshToken = 1
  /// Those that prove the device.
  case deviceRegistration = 2
}

/// Asks for header fields that sign a browser in (MSAL for Apple, `MSIDBrokerOperationGetSsoCookiesRequest`).
public struct SSOExtensionCookieRequest: Sendable, Hashable {
  /// The address that the browser is about to open.
  public var url: String
  /// Which ones.
  public var headers: [SSOExtensionHeader]
  /// For one account; nil for all.
  public var person: SSOExtensionPerson?

  /// Asks for header fields for an address.
  public init(
    url: String, headers: [SSOExtensionHeader] = [.all], person: SSOExtensionPerson? = nil
  ) {
    self.url = url
    self.headers = headers
    self.person = person
  }

  func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    try texts.require("sso_url", url)
    try texts.require(
      "types_of_header", headers.map { String($0.rawValue) }.joined(separator: ", "))
    guard let person else { return }
    guard person.homeAccountID?.nonBlank != nil else {
      throw .missingInSSOExtensionRequest("the \"home_account_id\" of the account")
    }
    person.write(to: &texts)
  }
}

/// Lets the broker's passkey sign (MSAL for Apple, `MSIDBrokerOperationPasskeyAssertionRequest`).
public struct SSOExtensionPasskeyRequest: Sendable, Hashable {
  /// The SHA-256 of the client data.
  public var clientDataHash: [UInt8]
  /// Who wants the proof, such as `login.microsoft.com`.
  public var relyingPartyID: String
  /// Which passkey.
  public var keyID: [UInt8]

  /// Lets a passkey sign.
  public init(clientDataHash: [UInt8], relyingPartyID: String, keyID: [UInt8]) {
    self.clientDataHash = clientDataHash
    self.relyingPartyID = relyingPartyID
    self.keyID = keyID
  }

  func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    try texts.require("clientDataHash", Hexadecimal.text(clientDataHash))
    try texts.require("relyingPartyId", relyingPartyID)
    try texts.require("keyId", Hexadecimal.text(keyID))
  }
}
