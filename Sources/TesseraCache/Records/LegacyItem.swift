// SPDX-License-Identifier: MIT
// An ADAL cache item as a value, independent of the file or keychain that it was read from.

package import TesseraWire

/// A cache item of ADAL 1.x to 2.x, which identifies users by their user name.
package struct LegacyItem: Sendable, Hashable {
  /// The kind of an item, which depends on its tokens.
  package enum Kind: Sendable {
    /// An access token of a multi-resource grant.
    case accessToken
    /// A multi-resource refresh token of an application or a family, with or without an access token.
    case refreshToken
    /// Both tokens of a single-resource grant.
    case singleResource
    /// The marker that ADAL 2.1 to 2.5 left for a rejected refresh token.
    case tombstone
    /// An account without tokens, shared between the applications of a publisher.
    case account
  }

  /// The effect of a redemption on a token.
  package enum Upgrade: String, Sendable {
    /// The server kept the token: it returned no other one.
    case kept
    /// The server returned another refresh token, so this one is not sent for the account again.
    case replaced
  }

  /// The host of the authority, with its port unless it is the default.
  package var environment: String
  /// The tenant as configured by the application: `common`, a domain or a tenant ID.
  package var realm: String
  /// The client ID, or `foci-` and a number for the tokens of a family.
  package var clientID: String
  package var resource: String?
  package var accessToken: Secret?
  package var refreshToken: Secret?
  /// Whether the refresh token is valid for every resource, or `nil` if that depends on the access token.
  package var isMultiResource: Bool?
  package var familyID: String?
  /// The user name, normalised.
  ///
  /// It is empty for an ADFS account without ID tokens.
  package var userID: String
  package var idToken: Secret?
  /// The claims of the ID token, or those that the cache stored separately, under the same names.
  package var claims: IDTokenClaims?
  /// The `client_info` value, as received (base64url).
  package var clientInfo: String?
  /// The home account ID.
  ///
  /// ADAL 2.7 and later write it; otherwise it is taken from `client_info`.
  package var homeAccountID: String?
  package var expiresAt: Instant?
  package var extendedExpiresAt: Instant?
  /// The effect of the redemption, if the token was redeemed here and its home account ID is therefore known.
  package var upgrade: Upgrade?
  /// The applications from which the user signed out while the home account ID was unknown.
  package var signedOutClients: Set<String> = []
  /// Whether it is an account without tokens, shared between the applications of a publisher.
  package var isShared = false
  /// Other data of the cache, which is kept but never used.
  package var extraMembers = JSONObject()

  /// Creates an item without tokens.
  package init(environment: String, realm: String, clientID: String, userID: String) {
    self.environment = environment.normalised
    self.realm = realm.normalised
    self.clientID = clientID
    self.userID = userID.normalised
  }

  /// The kind of the item, or `nil` for an item without tokens.
  package var kind: Kind? {
    if refreshToken?.reveal() == "<tombstone>" { return .tombstone }
    return switch (accessToken, refreshToken) {
    case (nil, nil): isShared ? .account : nil
    case (.some, nil): .accessToken
    case (nil, .some): isMultiResource ?? true ? .refreshToken : .singleResource
    case (.some, .some): isMultiResource ?? false ? .refreshToken : .singleResource
    }
  }

  /// Returns the client ID of a family's refresh tokens.
  ///
  /// The default family is 1.
  package static func clientID(ofFamily familyID: String?) -> String {
    "foci-\(familyID?.nonBlank ?? "1")"
  }

  /// Returns the user name that ADAL derives from the claims, or an empty string.
  package static func userID(of claims: IDTokenClaims) -> String {
    let names = ["upn", "email", "sub", "oid", "unique_name", "altsecid"]
    return names.lazy.compactMap { claims.all[$0]?.string?.nonBlank?.normalised }.first ?? ""
  }
}
