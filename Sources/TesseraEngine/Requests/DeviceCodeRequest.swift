// SPDX-License-Identifier: MIT
// The request of a device code sign-in, and the prompt that the application shows.

package import TesseraWire

/// A request to sign in a user on another device.
public struct DeviceCodeRequest: Sendable, Hashable, TracedRequest {
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
  /// The timeout of the call; `nil` waits until the code expires.
  public var timeout: Duration?
  /// Whether to set ``TokenResult/explanation`` in the result.
  public var explains = false
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?
  /// The `traceparent` of the call's span (W3C Trace Context level 1); `nil` for none.
  ///
  /// It is sent unchanged to the provider, in every request of the call.
  public var traceparent: String?
  /// The `tracestate` of the trace; `nil` for none.
  ///
  /// It requires ``traceparent``.
  public var tracestate: String?

  /// Creates a request for scopes.
  public init(
    scopes: [String], authority: String? = nil, claims: String? = nil,
    extraTokenParameters: [String: String] = [:], extraQueryParameters: [String: String] = [:],
    timeout: Duration? = nil, explains: Bool = false, correlationID: String? = nil
  ) {
    self.scopes = scopes
    self.authority = authority
    self.claims = claims
    self.extraTokenParameters = extraTokenParameters
    self.extraQueryParameters = extraQueryParameters
    self.timeout = timeout
    self.explains = explains
    self.correlationID = correlationID
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
  package let expiresOn: Instant
  /// The polling interval.
  public let interval: Duration

  package init(
    userCode: String, verificationURI: String, verificationURIComplete: String?, message: String,
    expiresOn: Instant, interval: Duration
  ) {
    self.userCode = userCode
    self.verificationURI = verificationURI
    self.verificationURIComplete = verificationURIComplete
    self.message = message
    self.expiresOn = expiresOn
    self.interval = interval
  }
}
