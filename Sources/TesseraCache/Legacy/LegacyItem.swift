// SPDX-License-Identifier: MIT
// An item of ADAL's cache as a value, whichever file or keychain it was read from.

package import TesseraWire

/// One item of the cache of ADAL 1.x to 2.x, which names people by what they type and not by an identifier.
package struct LegacyItem: Sendable, Hashable {
  /// What an item is, which only its tokens tell.
  package enum Kind: Sendable {
    /// An access token of a grant for several resources.
    case accessToken
    /// A refresh token for several resources, of an application or of a family, perhaps with an access token.
    case refreshToken
    /// Both tokens of a grant for one resource.
    case singleResource
    /// What ADAL 2.1 to 2.5 left of a refresh token that a server refused.
    case tombstone
    /// Nothing but who somebody is, as programs of one maker tell each other.
    case person
  }

  /// The host of the authority, with its port if it is not the usual one.
  package var environment: String
  /// The tenant as the program named it: `common`, a domain or an id.
  package var realm: String
  /// The application; `foci-` and a number for what a family shares.
  package var clientID: String
  package var resource: String?
  package var accessToken: Secret?
  package var refreshToken: Secret?
  /// Whether the refresh token is good for every resource; nil if only what is beside it tells.
  package var isMultiResource: Bool?
  package var familyID: String?
  /// What the person signs in with, normalised; empty for a person of an ADFS without ID tokens.
  package var userID: String
  package var idToken: Secret?
  /// What the ID token says; or what the cache has noted of it, under the names of its claims.
  package var claims: IDTokenClaims?
  /// What Entra said of the home account, as it came (base64url).
  package var clientInfo: String?
  /// The home account id; only ADAL 2.7 and later write one, and what has `client_info` tells it.
  package var homeAccountID: String?
  package var expiresAt: Instant?
  package var extendedExpiresAt: Instant?
  /// Whether its token was redeemed here already, and turned out to be of the home account id.
  package var wasUpgraded = false
  /// The applications that its person has signed out of while nobody knew the person's identifier.
  package var signedOutClients: Set<String> = []
  /// Whether programs of one maker shared it, to tell each other who signed in to them; it has no token.
  package var isShared = false
  /// What else the cache says of it; kept and never acted on.
  package var notes = JSONObject()

  /// An item without tokens.
  package init(environment: String, realm: String, clientID: String, userID: String) {
    self.environment = environment.normalised
    self.realm = realm.normalised
    self.clientID = clientID
    self.userID = userID.normalised
  }

  /// What it is; nil for an item without tokens.
  package var kind: Kind? {
    if refreshToken?.reveal() == "<tombstone>" { return .tombstone }
    return switch (accessToken, refreshToken) {
    case (nil, nil): isShared ? .person : nil
    case (.some, nil): .accessToken
    case (nil, .some): isMultiResource ?? true ? .refreshToken : .singleResource
    case (.some, .some): isMultiResource ?? false ? .refreshToken : .singleResource
    }
  }

  /// The client id under which a family's refresh token lies; without a word of the server it is family 1.
  package static func clientID(ofFamily familyID: String?) -> String {
    "foci-\(familyID?.nonBlank ?? "1")"
  }

  /// The name by which ADAL knows a person.
  package static func userID(of claims: IDTokenClaims) -> String {
    let names = ["upn", "email", "sub", "oid", "unique_name", "altsecid"]
    return names.lazy.compactMap { claims.all[$0]?.string?.nonBlank?.normalised }.first ?? ""
  }
}
