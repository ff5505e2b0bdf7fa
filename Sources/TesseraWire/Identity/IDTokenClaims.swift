// SPDX-License-Identifier: MIT
// The claims of an ID token that identify a user (OpenID Connect Core 2 and 5.1, and Entra's own).

/// The claims about the signed-in user.
package struct IDTokenClaims: Sendable, Hashable {
  /// All claims, including unknown ones.
  package let all: JSONObject

  /// Creates claims from a JSON object.
  package init(members: JSONObject) {
    all = members
  }

  /// Creates claims from a decoded token.
  package init(_ token: JSONWebToken) {
    all = token.claims
  }

  /// `sub`: the user's ID at this issuer; Entra's is specific to the application.
  package var subject: String? { text("sub") }
  /// `oid`: the user's object ID in this tenant.
  package var objectID: String? { text("oid") }
  /// `tid`: the ID of the tenant that issued the token.
  package var tenantID: String? { text("tid") }
  /// `name`: the display name.
  package var name: String? { text("name") }
  /// `given_name`.
  package var givenName: String? { text("given_name") }
  /// `middle_name`.
  package var middleName: String? { text("middle_name") }
  /// `family_name`.
  package var familyName: String? { text("family_name") }

  /// The user name.
  ///
  /// The first of: `preferred_username`, `upn` and `unique_name` of older tokens, `email`, and the first of B2C's
  /// `emails`.
  package var username: String? {
    text("preferred_username") ?? text("upn") ?? text("unique_name") ?? text("email")
      ?? all["emails"]?.array?.first?.string?.nonBlank
  }

  /// The claims that are shown to users and are not unique.
  ///
  /// An unpaired surrogate in them does not invalidate the token.
  static let displayMembers: Set<String> = [
    "name", "given_name", "middle_name", "family_name", "nickname", "preferred_username",
  ]

  private func text(_ name: String) -> String? {
    all[name]?.string?.nonBlank
  }
}
