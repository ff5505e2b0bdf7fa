// SPDX-License-Identifier: MIT
// The claims of an ID token that name a person (OpenID Connect Core 2 and 5.1, and Entra's own).

/// Who an ID token says has signed in.
package struct IDTokenClaims: Sendable, Hashable {
  /// All claims, the unknown ones included.
  package let all: JSONObject

  /// Claims as they are.
  package init(members: JSONObject) {
    all = members
  }

  /// The claims of a decoded token.
  package init(_ token: JSONWebToken) {
    all = token.claims
  }

  /// `sub`: the person at this issuer, for this application at Entra.
  package var subject: String? { text("sub") }
  /// `oid`: the person in this tenant.
  package var objectID: String? { text("oid") }
  /// `tid`: the tenant the token is for.
  package var tenantID: String? { text("tid") }
  /// `name`, for display.
  package var name: String? { text("name") }
  /// `given_name`.
  package var givenName: String? { text("given_name") }
  /// `middle_name`.
  package var middleName: String? { text("middle_name") }
  /// `family_name`.
  package var familyName: String? { text("family_name") }

  /// The name a person signs in with: `preferred_username`, then what older tokens carry, then `email`,
  /// then the first of B2C's `emails`.
  package var username: String? {
    text("preferred_username") ?? text("upn") ?? text("unique_name") ?? text("email")
      ?? all["emails"]?.array?.first?.string?.nonBlank
  }

  private func text(_ name: String) -> String? {
    all[name]?.string?.nonBlank
  }
}
