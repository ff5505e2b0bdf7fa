// SPDX-License-Identifier: MIT
// The errors of the authorization endpoint and of the redemption of its codes.

import TesseraWire

extension ErrorResponse {
  static let unsupportedResponseType = ErrorResponse(
    "unsupported_response_type", 700_054, "The response_type must be 'code'.")
  static let unsupportedResponseMode = ErrorResponse(
    "invalid_request", 90102, "The response_mode must be 'query' or 'form_post'.")
  static let challengeRequired = ErrorResponse(
    "invalid_request", 9_002_325,
    "Proof Key for Code Exchange is required: send a code_challenge with the method S256.")
  static let unknownPrompt = ErrorResponse(
    "invalid_request", 90023, "The prompt is not supported.")
  static let loginRequired = ErrorResponse(
    "login_required", 50058,
    "A silent sign-in request was sent but no user is signed in.")
  static let consentRequired = ErrorResponse(
    "interaction_required", plain: "consent_required", 65001,
    "The user has not consented to use the application.")
  static let consentDeclined = ErrorResponse(
    "access_denied", 65004, "The user declined to consent to access the app.",
    suberror: "cancel")
  static let unknownCode = ErrorResponse(
    "invalid_grant", 70000, "The provided authorization code is malformed or not valid here.")
  static let redeemedAuthorizationCode = ErrorResponse(
    "invalid_grant", 54005, "The authorization code was already redeemed.")
  static let expiredCode = ErrorResponse(
    "invalid_grant", 70008, "The provided authorization code has expired.")
  static let otherRedirectURI = ErrorResponse(
    "invalid_grant", 50011, "The redirect URI differs from that of the authorization request.")
  static let wrongVerifier = ErrorResponse(
    "invalid_grant", 501_481, "The code_verifier does not match the code_challenge.")

  /// Returns the fields of an error response at a redirect URI (RFC 6749 section 4.1.2.1).
  func authorizationFields(isEntra: Bool) -> [(String, String)] {
    guard isEntra else { return [("error", plainError), ("error_description", description)] }
    return [
      ("error", error), ("error_description", "AADSTS\(serverCode): \(description)"),
      ("error_subcode", suberror ?? ""),
    ]
  }
}
