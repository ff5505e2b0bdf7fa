// SPDX-License-Identifier: MIT
// The errors of the provider, for Entra and for generic issuers.

import TesseraWire

/// An error response (RFC 6749 section 5.2, RFC 8628 section 3.5).
struct ErrorResponse: Error, Sendable, Equatable {
  /// The member `error` in Entra's format.
  let error: String
  /// The member `error` of generic issuers.
  let plainError: String
  /// The number after `AADSTS`.
  let serverCode: Int64
  /// The cause, for developers.
  let description: String
  /// Entra's detailed error code.
  let suberror: String?
  /// The claims that a new token of the caller must have, for Entra's format.
  var claims: String?
  /// The HTTP status.
  let status: Int

  init(
    _ error: String, plain: String? = nil, _ serverCode: Int64, _ description: String,
    suberror: String? = nil, status: Int = 400
  ) {
    self.error = error
    plainError = plain ?? error
    self.serverCode = serverCode
    self.description = description
    self.suberror = suberror
    self.status = status
  }
}

extension ErrorResponse {
  static let tooLarge = ErrorResponse(
    "invalid_request", 9_002_313, "The request is too large.", status: 413)
  static let notAForm = ErrorResponse(
    "invalid_request", 9_002_313, "The body is not application/x-www-form-urlencoded in UTF-8.")
  static let repeatedField = ErrorResponse(
    "invalid_request", 9_002_313, "A parameter is included more than once.")
  static let unsupportedGrant = ErrorResponse(
    "unsupported_grant_type", 70003, "The app returned an unsupported grant type.")
  static let serverError = ErrorResponse(
    "server_error", 90033, "The provider could not sign a token.", status: 500)

  static let invalidClient = ErrorResponse(
    "invalid_client", 7_000_215,
    "Authenticate with a client ID and the secret \"\(ResourceServer.secret)\".", status: 401)

  static func missing(_ name: String) -> ErrorResponse {
    ErrorResponse(
      "invalid_request", 900144,
      "The request body must contain the following parameter: '\(name)'.")
  }

  static func unknownTenant(_ name: String) -> ErrorResponse {
    ErrorResponse("invalid_tenant", 90002, "Tenant '\(name)' not found.")
  }

  static let unknownInstance = ErrorResponse(
    "invalid_instance", 50049, "Unknown or invalid instance.")
}

extension ErrorResponse {
  static let authorizationPending = ErrorResponse(
    "authorization_pending", 70016, "Authorization is pending. Continue polling.")
  static let slowDown = ErrorResponse(
    "slow_down", 70016, "The device polls too quickly. Wait five seconds longer.")
  static let declined = ErrorResponse(
    "authorization_declined", plain: "access_denied", 65004,
    "The user declined the request.")
  static let expiredDeviceCode = ErrorResponse(
    "expired_token", 70020,
    "The provided value for the input parameter 'device_code' is not valid. "
      + "This device code has expired.")
  static let unknownDeviceCode = ErrorResponse(
    "bad_verification_code", plain: "invalid_grant", 70018, "The device code was not recognised.")
  static let redeemedCode = ErrorResponse(
    "invalid_grant", 54005, "The device code was already redeemed.")
}

extension ErrorResponse {
  static let unknownRefreshToken = ErrorResponse(
    "invalid_grant", 70000, "The provided refresh token is malformed or not valid here.",
    suberror: "bad_token")
  static let reusedRefreshToken = ErrorResponse(
    "invalid_grant", 70043,
    "The refresh token was already used. All tokens of its family are revoked.",
    suberror: "bad_token")
  static let revokedRefreshToken = ErrorResponse(
    "invalid_grant", 50173, "The provided grant has expired due to it being revoked.",
    suberror: "bad_token")
  static let foreignRefreshToken = ErrorResponse(
    "invalid_grant", 70000, "The refresh token was issued to another application.",
    suberror: "client_mismatch")
  static let foreignToken = ErrorResponse(
    "invalid_grant", 70000, "The access token was issued to another application.")
  static let notAdmitted = ErrorResponse(
    "invalid_grant", 50020, "The user does not exist in this tenant.")
  static let scopeExceedsGrant = ErrorResponse(
    "invalid_scope", 70011, "The scope exceeds the granted scopes.")
}
