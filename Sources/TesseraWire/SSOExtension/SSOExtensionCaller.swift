// SPDX-License-Identifier: MIT
// What every request to the single sign-on extension says of the program that sends it.

/// Who asks the extension (MSAL for Apple, `MSIDBrokerOperationRequest`).
public struct SSOExtensionCaller: Sendable, Hashable {
  /// The program's key for its broker: 32 bytes in base64url, kept in the keychain under the tag of MSAL for Apple.
  ///
  /// nil is for macOS alone, and for a program without the entitlement of the keychain group.
  public var brokerKey: Secret?
  /// The version of this library, or of the one that the program comes from (`client_version`).
  public var clientVersion: String?
  /// The name of the program (`client_app_name`).
  public var clientAppName: String?
  /// The version of the program (`client_app_version`).
  public var clientAppVersion: String?
  /// A UUID that is found in the logs of the broker and of the server.
  public var correlationID: String?
  /// `sdk_msal` or `sdk_adal`, for a program that must look like one of them; nil says nothing, as MSAL for Apple does.
  public var clientSDK: String?
  /// What ran before this library in the same call (`x-client-xtra-sku`).
  public var platformSequence: String?

  /// A program with its key.
  public init(brokerKey: Secret?) {
    self.brokerKey = brokerKey
  }

  /// The version of the protocol that the extension speaks.
  static let protocolVersion = "4"

  func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    // A key that is there and blank is a mistake, one that is not there a choice.
    if let brokerKey { try texts.require("broker_key", brokerKey.reveal()) }
    texts.add("msg_protocol_ver", SSOExtensionCaller.protocolVersion)
    texts.add("client_version", clientVersion)
    texts.add("client_app_version", clientAppVersion)
    texts.add("client_app_name", clientAppName)
    texts.add("correlation_id", correlationID?.uppercased())
    texts.add("client_sdk", clientSDK)
    texts.add("x-client-xtra-sku", platformSequence)
  }
}

/// The account that a request is about.
public struct SSOExtensionPerson: Sendable, Hashable {
  /// The account; nil where only a name is known.
  public var homeAccountID: String?
  /// The name the person signs in with; the login hint, where nobody has signed in yet.
  public var username: String?

  /// A person, by the account, the name or both.
  public init(homeAccountID: String? = nil, username: String? = nil) {
    self.homeAccountID = homeAccountID
    self.username = username
  }

  var isNamed: Bool { homeAccountID?.nonBlank != nil || username?.nonBlank != nil }

  func write(to texts: inout SSOExtensionTexts) {
    texts.add("username", username)
    texts.add("home_account_id", homeAccountID)
  }
}
