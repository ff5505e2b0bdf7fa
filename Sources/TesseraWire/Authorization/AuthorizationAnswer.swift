// SPDX-License-Identifier: MIT
// What came to the redirect URI after a person was at the authorization endpoint, before anything in it is believed.

/// What came to the redirect URI (RFC 6749 section 4.1.2).
///
/// It may hold an authorization code, so it is secret as a whole.
public enum AuthorizationAnswer: Sendable, Hashable {
  /// The whole address that was opened (`response_mode=query`).
  case address(Secret)
  /// The body that was posted (`response_mode=form_post`), in the encoding of forms.
  case form(Secret)
}
