// SPDX-License-Identifier: MIT
// The authorization response as it arrived at the redirect URI, before validation.

/// An unvalidated authorization response (RFC 6749 section 4.1.2).
///
/// It can contain an authorization code, so the entire value is a secret.
public enum RawAuthorizationResponse: Sendable, Hashable {
  /// The complete redirect URL (`response_mode=query`).
  case address(Secret)
  /// The form-encoded body of the POST request (`response_mode=form_post`).
  case form(Secret)
}
