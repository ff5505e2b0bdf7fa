// SPDX-License-Identifier: MIT
// The request of a device code sign-in, and the prompt that the application shows.

public import TesseraWire

/// A request to sign in a user on another device.
public struct DeviceCodeRequest: Sendable, Hashable {
  /// The requested scopes.
  ///
  /// The library adds `openid`, `profile` and `offline_access`.
  public var scopes: [String]
  /// The authority; `nil` for the one of the configuration.
  public var authority: String?
  /// A claims challenge, as JSON text.
  public var claims: String?
  /// Additional form fields for token requests.
  ///
  /// They override the fields of the configuration.
  public var extraTokenParameters: [String: String] = [:]
  /// Additional query parameters for the device authorization and token endpoints.
  ///
  /// They override those of the configuration.
  public var extraQueryParameters: [String: String] = [:]
  /// The timeout of the call in milliseconds; `nil` waits until the code expires.
  public var timeoutMilliseconds: Int64?
  /// Whether to set ``TokenResult/explanation`` in the result.
  public var explains = false
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?

  /// Creates a request for scopes.
  public init(scopes: [String]) {
    self.scopes = scopes
  }

  /// Creates an ADAL-style request for all permissions that the application was granted for a resource (`/.default`).
  public init(resource: String) {
    self.init(scopes: [Scopes.defaultScope(at: resource)])
  }
}

/// The instructions that the user needs to sign in on another device (RFC 8628 section 3.3).
public struct DeviceCodePrompt: Sendable {
  /// The code to enter.
  public let userCode: String
  /// The address of the page on which to enter the code.
  public let verificationURI: String
  /// The same address including the code, for a QR code; `nil` if the server did not send it.
  public let verificationURIComplete: String?
  /// A sentence with instructions for the user.
  public let message: String
  /// The expiry time of the code.
  public let expiresAt: Instant
  /// The polling interval, in seconds.
  public let intervalSeconds: Int64
}
