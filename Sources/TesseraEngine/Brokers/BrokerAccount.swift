// SPDX-License-Identifier: MIT
// What a program may ask of the broker besides tokens, and what it is told.

public import TesseraWire

/// An account that the identity broker has; it need not have signed in to the application.
public struct BrokerAccount: Sendable, Hashable {
  /// The identifier that stays with the person across tenants, for ``SilentRequest/homeAccountID``.
  public let homeAccountID: String
  /// The object id in the tenant of the entry.
  public let localAccountID: String?
  /// The host of the cloud.
  public let environment: String?
  /// The tenant of the entry.
  public let tenantID: String?
  /// What the person signs in with.
  public let username: String?
  /// The person's name.
  public let name: String?
  /// The person's given name.
  public let givenName: String?
  /// The person's family name.
  public let familyName: String?

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

/// A request to the broker that names nobody.
public struct BrokerRequest: Sendable, Hashable {
  /// The authority, whose cloud says which redirect URI is named; nil for that of the configuration.
  public var authority: String?
  /// Milliseconds until the call gives up; nil for ten seconds, thirty for a signature and forty for cookies.
  public var timeoutMilliseconds: Int64?
  /// An identifier for the broker's log; nil for a new one.
  public var correlationID: String?

  /// A request with the usual limits.
  public init() {}
}

/// A request for the cookie that signs a browser in as an account of the broker (`x-ms-RefreshTokenCredential`).
public struct BrokerCookieRequest: Sendable, Hashable {
  /// The address of the sign-in page, with the `sso_nonce` that the page gave, where it did.
  public var ssoURL: String
  /// The account, by its ``BrokerAccount/homeAccountID``.
  public var homeAccountID: String
  /// The scopes that the browser asks for; empty for those of Graph.
  public var scopes: [String] = []
  /// What every request has.
  public var common = BrokerRequest()

  /// A request for an account.
  public init(homeAccountID: String, ssoURL: String) {
    self.homeAccountID = homeAccountID
    self.ssoURL = ssoURL
  }
}

/// A cookie for the provider's pages.
public struct BrokerCookie: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// Its content: whoever has it is signed in.
  public let content: Secret
}

/// A request to a resource that the broker is to sign with a key of its own (proof of possession).
public struct BrokerSigningRequest: Sendable, Hashable {
  /// The account, by its ``BrokerAccount/homeAccountID``.
  public var homeAccountID: String
  /// The method of the request, such as `GET`.
  public var httpMethod: String
  /// The address of the request; the broker signs its host and its path.
  public var url: String
  /// The nonce of the resource.
  public var nonce: String?
  /// Further claims, as JSON text.
  public var clientClaims: String?
  /// The key; nil lets the broker choose.
  public var keyID: String?
  /// What every request has.
  public var common = BrokerRequest()

  /// A request for an account.
  public init(homeAccountID: String, httpMethod: String, url: String) {
    self.homeAccountID = homeAccountID
    self.httpMethod = httpMethod
    self.url = url
  }
}

/// What a sign-out did at the broker.
public struct BrokerRemoval: Sendable {
  /// How many accounts the broker has forgotten for the application.
  public package(set) var removed = 0
  /// Why it has not forgotten more; nil if nothing went wrong.
  public package(set) var error: TesseraError?
}
