// SPDX-License-Identifier: MIT
// A token as the unified schema stores it: typed views on a JSON object whose other members stay as they are.

package import TesseraWire

/// An access token, refresh token or ID token with what belongs to it.
///
/// The members are kept whole, so that what newer or other programs wrote survives a rewrite.
package struct CredentialRecord: Sendable, Hashable {
  /// What it holds.
  package let type: CredentialType
  /// The record as it is stored, unknown members included.
  package private(set) var members: JSONObject

  /// A new record of a type.
  package init(type: CredentialType, secret: Secret) {
    self.type = type
    members = JSONObject()
    members.append("credential_type", type.name)
    members.append("secret", secret.reveal())
  }

  /// A stored record; nil for one that lacks what its type needs, or that is marked as deleted.
  package init?(members: JSONObject) {
    guard let name = members["credential_type"]?.string, let type = CredentialType(name: name),
      let secret = members["secret"]?.string, !secret.isEmpty,
      // MSAL for Apple: a credential with this text is deleted when met and never returned.
      secret != "<tombstone>",
      members["environment"]?.string != nil, members["client_id"]?.string != nil
    else { return nil }
    self.type = type
    self.members = members
    if type.isAccessToken, target == nil { return nil }
    if type == .accessTokenWithAuthScheme, keyID == nil || tokenType == nil { return nil }
    if type == .boundRefreshToken, members["bound_device_id"]?.string == nil { return nil }
  }

  /// Where it lies.
  package var key: RecordKey {
    let parts = keyParts
    let generic = parts.generic
    return RecordKey(
      account: parts.account ?? "", service: parts.service(after: generic), generic: generic,
      type: type.number, homeAccountID: homeAccountID, environment: environment)
  }

  private var keyParts: CredentialKeyParts {
    var parts = CredentialKeyParts(type: type)
    parts.homeAccountID = homeAccountID
    parts.environment = environment
    parts.clientID = clientID
    parts.familyID = familyID
    parts.realm = realm
    parts.target = target
    parts.tokenType = tokenType
    parts.applicationIdentifier = applicationIdentifier
    parts.requestedClaims = requestedClaims
    return parts
  }
}

extension CredentialRecord {
  /// The token.
  package var secret: Secret { Secret(members["secret"]?.string ?? "") }

  package var homeAccountID: String {
    get { self["home_account_id"] ?? "" }
    set { self["home_account_id"] = newValue }
  }
  package var environment: String {
    get { self["environment"] ?? "" }
    set { self["environment"] = newValue }
  }
  /// The application; for a family refresh token the one that obtained it.
  package var clientID: String {
    get { self["client_id"] ?? "" }
    set { self["client_id"] = newValue }
  }
  package var realm: String? {
    get { self["realm"] }
    set { self["realm"] = newValue }
  }
  /// The scopes of an access token, as the server spelled them.
  package var target: String? {
    get { self["target"] }
    set { self["target"] = newValue }
  }
  package var familyID: String? {
    get { self["family_id"]?.nonBlank }
    set { self["family_id"] = newValue }
  }
  /// The scheme of an access token; absent for bearer.
  package var tokenType: String? {
    get { self["token_type"] }
    set { self["token_type"] = newValue }
  }
  /// The thumbprint of the key that an access token is bound to.
  package var keyID: String? {
    get { self["kid"] }
    set { self["kid"] = newValue }
  }
  package var requestedClaims: String? {
    get { self["requested_claims"] }
    set { self["requested_claims"] = newValue }
  }
  package var applicationIdentifier: String? {
    get { self["application_cache_identifier"] }
    set { self["application_cache_identifier"] = newValue }
  }
  /// The enrolment in Intune's app protection that an access token was given for.
  package var enrollmentID: String? {
    get { self["enrollment_id"]?.nonBlank }
    set { self["enrollment_id"] = newValue }
  }
  package var cachedAt: Instant? {
    get { time("cached_at") }
    set { set("cached_at", newValue) }
  }
  /// What the clock that nobody can set said then; Tessera's own, and absent from what others wrote.
  package var receivedMoment: BootTime? {
    get { self["tessera_received"].flatMap(BootTime.init) }
    set { self["tessera_received"] = newValue?.text }
  }
  package var expiresAt: Instant? {
    get { time("expires_on") }
    set { set("expires_on", newValue) }
  }
  package var extendedExpiresAt: Instant? {
    get { time("extended_expires_on") }
    set { set("extended_expires_on", newValue) }
  }
  package var refreshAt: Instant? {
    get { time("refresh_on") }
    set { set("refresh_on", newValue) }
  }

  /// When the refresh began that brought an access token; a member of Tessera's own.
  package var refreshBegan: BootTime? {
    get { self["tessera_refresh_began"].flatMap(BootTime.init) }
    set { self["tessera_refresh_began"] = newValue?.text }
  }

  /// The scopes of an access token as a set.
  package var scopes: Scopes { Scopes(parsing: target ?? "") }

  /// Any member that is a text.
  ///
  /// A member of another type reads as absent, and null does too.
  package subscript(_ name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSONValue.string) }
  }

  /// Times are stored as texts of decimal seconds; fractions are accepted.
  private func time(_ name: String) -> Instant? {
    members[name]?.integer.map(Instant.init(secondsSince1970:))
  }

  private mutating func set(_ name: String, _ time: Instant?) {
    self[name] = time.map { String($0.secondsSince1970) }
  }
}
