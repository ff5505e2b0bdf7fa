// SPDX-License-Identifier: MIT
// The times of results as dates.

public import TesseraEngine
public import TesseraWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TokenResult {
  /// Creates a result, such as for a test or a preview.
  ///
  /// - Parameters:
  ///   - accessToken: The access token.
  ///   - tokenType: The token type.
  ///   - expiresAt: The expiry time, rounded down to seconds.
  ///   - extendedExpiresAt: The time until which the token may be used during an outage.
  ///   - refreshAt: The time from which the server recommends a refresh.
  ///   - scopes: The granted scopes.
  ///   - idToken: The raw ID token.
  ///   - account: The account of the token.
  ///   - tenantID: The tenant of the token.
  ///   - authority: The authority that issued the token.
  ///   - source: The origin of the token.
  public init(
    accessToken: Secret, tokenType: String = "Bearer", expiresAt: Date,
    extendedExpiresAt: Date? = nil, refreshAt: Date? = nil, scopes: [String],
    idToken: Secret? = nil, account: Account, tenantID: String = "", authority: String,
    source: TokenSource = .cache
  ) {
    self.init(
      accessToken: accessToken, tokenType: tokenType, expiresOn: Instant(expiresAt),
      extendedExpiresOn: extendedExpiresAt.map(Instant.init),
      refreshOn: refreshAt.map(Instant.init),
      scopes: scopes, idToken: idToken, account: account, tenantID: tenantID,
      authority: authority, source: source)
  }

  /// The expiry time.
  public var expiresAt: Date { Date(expiresOn) }
  /// The extended expiry time, until which the token may be used during an outage; `nil` if the server grants none.
  public var extendedExpiresAt: Date? { extendedExpiresOn.map(Date.init) }
  /// The time from which the server recommends a refresh, which the library does automatically.
  public var refreshAt: Date? { refreshOn.map(Date.init) }
}

extension SignInSession {
  /// Creates a sign-in in progress, such as for a test.
  public init(url: String, state: Secret, expiresAt: Date, redirectURI: String) {
    self.init(url: url, state: state, expiresOn: Instant(expiresAt), redirectURI: redirectURI)
  }

  /// The time until which the sign-in must be completed.
  public var expiresAt: Date { Date(expiresOn) }
}

extension DeviceCodePrompt {
  /// Creates instructions, such as for a test or a preview.
  public init(
    userCode: String, verificationURI: String, verificationURIComplete: String? = nil,
    message: String, expiresAt: Date, interval: Duration = .seconds(5)
  ) {
    self.init(
      userCode: userCode, verificationURI: verificationURI,
      verificationURIComplete: verificationURIComplete, message: message,
      expiresOn: Instant(expiresAt), interval: interval)
  }

  /// The expiry time of the code.
  public var expiresAt: Date { Date(expiresOn) }
}

extension TokenCandidate {
  /// The time of receipt; `nil` if it is unknown.
  public var cachedAt: Date? { cachedOn.map(Date.init) }
  /// The expiry time; `nil` if it is unknown.
  public var expiresAt: Date? { expiresOn.map(Date.init) }
  /// The time from which the server recommends a refresh; `nil` if the server did not send it.
  public var refreshAt: Date? { refreshOn.map(Date.init) }
}

extension TokenDescription {
  /// The time of issue (`iat`).
  public var issuedAt: Date? { issuedOn.map(Date.init(secondsSince1970:)) }
  /// The start of validity (`nbf`).
  public var notBefore: Date? { notBeforeOn.map(Date.init(secondsSince1970:)) }
  /// The expiry time (`exp`).
  public var expiresAt: Date? { expiresOn.map(Date.init(secondsSince1970:)) }
}

extension TokenClaims {
  /// Returns the claim with a name as a time, such as `auth_time`; nil if it is absent or not a number.
  public func date(_ name: String) -> Date? {
    integer(name).map(Date.init(secondsSince1970:))
  }
}

extension SignOutReport.LeftoverToken {
  /// The expiry time; `nil` if it is unknown.
  public var expiresAt: Date? { expiresOn.map(Date.init(secondsSince1970:)) }
}

#if TesseraMSALFile
  extension FoundCache {
    /// The time of the last modification; `nil` if there is no cache or the time is unknown.
    public var modifiedAt: Date? { modifiedOn.map(Date.init(secondsSince1970:)) }
  }
#endif

#if TesseraApple
  extension SSOExtensionTokenRequest {
    /// The time at which the request is sent, on this machine's wall clock; nil omits it.
    public var sentAt: Date? {
      get { sentOn.map(Date.init) }
      set { sentOn = newValue.map(Instant.init) }
    }
  }

  extension SSOExtensionResponse {
    /// The time at which the extension received the request, on this machine's wall clock.
    public var requestReceivedAt: Date? { requestReceivedOn.map(Date.init) }
    /// The time at which the extension created the response, on this machine's wall clock.
    public var responseCreatedAt: Date? { responseCreatedOn.map(Date.init) }
  }
#endif

extension Instant {
  /// Rounds a date down to seconds; a date that is out of range becomes the nearest representable time.
  fileprivate init(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self =
      Int64(exactly: seconds).map(Instant.init(secondsSince1970:))
      ?? (seconds < 0 ? .distantPast : .distantFuture)
  }
}

extension Date {
  fileprivate init(_ instant: Instant) {
    self.init(secondsSince1970: instant.secondsSince1970)
  }

  fileprivate init(secondsSince1970 seconds: Int64) {
    self.init(timeIntervalSince1970: Double(seconds))
  }
}
