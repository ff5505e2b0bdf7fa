// SPDX-License-Identifier: MIT
// Requests to the broker other than for tokens, with their results.

import TesseraEngine
public import TesseraWire

/// An account of the identity broker.
///
/// It need not be signed in to the application.
public struct BrokerAccount: Sendable, Hashable {
  /// The identifier of the account in all tenants, for ``SilentRequest/homeAccountID``.
  public let homeAccountID: String
  /// The object ID in the tenant of the entry.
  public let localAccountID: String?
  /// The host of the cloud.
  public let environment: String?
  /// The tenant of the entry.
  public let tenantID: String?
  /// The user name.
  public let username: String?
  /// The full name of the user.
  public let name: String?
  /// The given name of the user.
  public let givenName: String?
  /// The family name of the user.
  public let familyName: String?

  /// Creates an account.
  public init(
    homeAccountID: String, localAccountID: String? = nil, environment: String? = nil,
    tenantID: String? = nil, username: String? = nil, name: String? = nil,
    givenName: String? = nil, familyName: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.localAccountID = localAccountID
    self.environment = environment
    self.tenantID = tenantID
    self.username = username
    self.name = name
    self.givenName = givenName
    self.familyName = familyName
  }

  init(_ account: LinuxBrokerAccount) {
    homeAccountID = account.homeAccountID
    localAccountID = account.localAccountID
    environment = account.environment
    tenantID = account.realm
    username = account.username
    name = account.name
    givenName = account.givenName
    familyName = account.familyName
  }
}

/// The parameters of a request to the broker that is not for an account.
public struct BrokerRequest: Sendable, Hashable {
  /// The authority, which determines the redirect URI by its cloud; `nil` for the one of the configuration.
  public var authority: String?
  /// The timeout; `nil` for 10 seconds, 30 seconds for a signature or 40 seconds for cookies.
  public var timeout: Duration?
  /// The correlation ID sent to the broker; `nil` for a new one.
  public var correlationID: String?

  /// Creates a request.
  public init(
    authority: String? = nil, timeout: Duration? = nil, correlationID: String? = nil
  ) {
    self.authority = authority
    self.timeout = timeout
    self.correlationID = correlationID
  }
}

/// A request for the cookie that signs in an account of the broker in a browser (`x-ms-RefreshTokenCredential`).
public struct BrokerCookieRequest: Sendable, Hashable {
  /// The address of the sign-in page, including its `sso_nonce` if there is one.
  public var ssoURL: String
  /// The account, by its ``BrokerAccount/homeAccountID``.
  public var homeAccountID: String
  /// The scopes that the browser requests; empty for those of Graph.
  public var scopes: [String] = []
  /// The common parameters.
  public var common = BrokerRequest()

  /// Creates a request for an account.
  public init(
    homeAccountID: String, ssoURL: String, scopes: [String] = [],
    common: BrokerRequest = BrokerRequest()
  ) {
    self.homeAccountID = homeAccountID
    self.ssoURL = ssoURL
    self.scopes = scopes
    self.common = common
  }
}

/// A cookie for the provider's pages.
public struct BrokerCookie: Sendable, Hashable {
  /// The name of the cookie.
  public let name: String
  /// The value of the cookie.
  ///
  /// It is a credential: its holder is signed in.
  public let content: Secret

  /// Creates a cookie.
  public init(name: String, content: Secret) {
    self.name = name
    self.content = content
  }
}

/// A request to a resource that the broker signs with its own key (proof of possession).
public struct BrokerSigningRequest: Sendable, Hashable {
  /// The account, by its ``BrokerAccount/homeAccountID``.
  public var homeAccountID: String
  /// The HTTP method of the request, such as `GET`.
  public var httpMethod: String
  /// The address of the request.
  ///
  /// The broker signs its host and its path.
  public var url: String
  /// The nonce of the resource.
  public var nonce: String?
  /// Additional claims, as JSON text.
  public var clientClaims: String?
  /// The ID of the key; `nil` for the broker's default.
  public var keyID: String?
  /// The common parameters.
  public var common = BrokerRequest()

  /// Creates a request for an account.
  public init(
    homeAccountID: String, httpMethod: String, url: String, nonce: String? = nil,
    clientClaims: String? = nil, keyID: String? = nil, common: BrokerRequest = BrokerRequest()
  ) {
    self.homeAccountID = homeAccountID
    self.httpMethod = httpMethod
    self.url = url
    self.nonce = nonce
    self.clientClaims = clientClaims
    self.keyID = keyID
    self.common = common
  }
}
