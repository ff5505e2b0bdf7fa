// SPDX-License-Identifier: MIT
// The parameters about the calling application in each request to the single sign-on extension.

public import TesseraWire

/// The calling application of a request (MSAL for Apple, `MSIDBrokerOperationRequest`).
public struct SSOExtensionCaller: Sendable, Hashable {
  /// The application's broker key: 32 bytes in base64url, stored in the keychain under MSAL for Apple's tag.
  ///
  /// nil is allowed on macOS only, for an application without the entitlement for the keychain group.
  public var brokerKey: Secret?
  /// The version of this library, or of the library that it replaces (`client_version`).
  public var clientVersion: String?
  /// The name of the application (`client_app_name`).
  public var clientAppName: String?
  /// The version of the application (`client_app_version`).
  public var clientAppVersion: String?
  /// The correlation ID, a UUID that appears in the logs of the broker and of the server.
  public var correlationID: String?
  /// `sdk_msal` or `sdk_adal`, to identify as one of these libraries; nil omits the parameter, as MSAL for Apple does.
  public var clientSDK: String?
  /// The names of the libraries that call this one (`x-client-xtra-sku`).
  public var platformSequence: String?

  /// Creates a caller with its broker key.
  public init(brokerKey: Secret?) {
    self.brokerKey = brokerKey
  }

  /// The protocol version that the extension supports.
  static let protocolVersion = "4"

  func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    // A blank key is an error; an absent key is allowed.
    if let brokerKey { try parameters.require("broker_key", brokerKey.reveal()) }
    parameters.add("msg_protocol_ver", SSOExtensionCaller.protocolVersion)
    parameters.add("client_version", clientVersion)
    parameters.add("client_app_version", clientAppVersion)
    parameters.add("client_app_name", clientAppName)
    parameters.add("correlation_id", correlationID?.uppercased())
    parameters.add("client_sdk", clientSDK)
    parameters.add("x-client-xtra-sku", platformSequence)
  }
}

/// The account of a request.
public struct SSOExtensionAccountIdentifier: Sendable, Hashable {
  /// The home account ID; nil if only the user name is known.
  public var homeAccountID: String?
  /// The user name, or the login hint before the first sign-in.
  public var username: String?

  /// Creates a value from the account ID, the user name or both.
  public init(homeAccountID: String? = nil, username: String? = nil) {
    self.homeAccountID = homeAccountID
    self.username = username
  }

  var isNamed: Bool { homeAccountID?.nonBlank != nil || username?.nonBlank != nil }

  func write(to parameters: inout SSOExtensionParameters) {
    parameters.add("username", username)
    parameters.add("home_account_id", homeAccountID)
  }
}
