// SPDX-License-Identifier: MIT
// What a program asks for when a person signs in on another device, and what it shows them.

public import TesseraWire

/// A request to sign a person in on another device.
public struct DeviceCodeRequest: Sendable, Hashable {
  /// The scopes to ask for.
  ///
  /// `openid`, `profile` and `offline_access` are added by the library.
  public var scopes: [String]
  /// The authority; nil for that of the configuration.
  public var authority: String?
  /// A claims challenge, as JSON text.
  public var claims: String?
  /// Fields that are added to the body of token requests, and win over the configuration's.
  public var extraTokenParameters: [String: String] = [:]
  /// Fields that are added to the query of the endpoints that give codes and tokens, and win over the configuration's.
  public var extraQueryParameters: [String: String] = [:]
  /// Milliseconds until the call gives up; nil for as long as the code is good.
  public var timeoutMilliseconds: Int64?
  /// Whether the result says what took how long: ``TokenResult/explanation``.
  public var explains = false
  /// An identifier for the server's log; nil for a new one.
  public var correlationID: String?

  /// A request for scopes.
  public init(scopes: [String]) {
    self.scopes = scopes
  }

  /// A request for everything that the application was granted at a resource, as ADAL asked for tokens.
  public init(resource: String) {
    self.init(scopes: [Scopes.everything(at: resource)])
  }
}

/// What a person has to see to sign in on another device (RFC 8628 section 3.3).
public struct DeviceCodePrompt: Sendable {
  /// The code to enter.
  public let userCode: String
  /// Where to enter it.
  public let verificationURI: String
  /// The same address with the code in it, for a QR code; not every server has it.
  public let verificationURIComplete: String?
  /// A sentence that says what to do.
  public let message: String
  /// When the code stops working.
  public let expiresAt: Instant
  /// Seconds between two looks at the server.
  public let intervalSeconds: Int64
}
