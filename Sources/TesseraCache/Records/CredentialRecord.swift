// SPDX-License-Identifier: MIT
// A token in the unified schema, with typed access to its JSON members. Unknown members are kept.

package import TesseraWire

/// An access token, refresh token or ID token with its metadata.
///
/// All members are kept, so that a rewrite preserves those of newer versions and of other libraries.
package struct CredentialRecord: Sendable, Hashable {
  /// The credential type.
  package let type: CredentialType
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record of a type.
  package init(type: CredentialType, secret: Secret) {
    self.type = type
    members = JSONObject()
    members.append("credential_type", type.name)
    members.append("secret", secret.reveal())
  }

  /// Creates a record from its stored members, or returns `nil` if required members are missing or it is a tombstone.
  package init?(members: JSONObject) {
    guard let name = members["credential_type"]?.string, let type = CredentialType(name: name),
      let secret = members["secret"]?.string, !secret.isEmpty,
      // MSAL for Apple never returns a credential with this value and deletes it when it finds one.
      secret != "<tombstone>",
      members["environment"]?.string != nil, members["client_id"]?.string != nil
    else { return nil }
    self.type = type
    self.members = members
    if type.isAccessToken, target == nil { return nil }
    if type == .accessTokenWithAuthScheme, keyID == nil || tokenType == nil { return nil }
    if type == .boundRefreshToken, members["bound_device_id"]?.string == nil { return nil }
  }

  /// The key of the record.
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
  /// The client ID.
  ///
  /// For a family refresh token, it is the application that obtained it.
  package var clientID: String {
    get { self["client_id"] ?? "" }
    set { self["client_id"] = newValue }
  }
  package var realm: String? {
    get { self["realm"] }
    set { self["realm"] = newValue }
  }
  /// The scopes of an access token, with the spelling of the server.
  package var target: String? {
    get { self["target"] }
    set { self["target"] = newValue }
  }
  package var familyID: String? {
    get { self["family_id"]?.nonBlank }
    set { self["family_id"] = newValue }
  }
  /// The authentication scheme of an access token, or `nil` for bearer.
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
  /// The Intune app-protection enrollment ID for which an access token was issued.
  package var enrollmentID: String? {
    get { self["enrollment_id"]?.nonBlank }
    set { self["enrollment_id"] = newValue }
  }
  package var cachedAt: Instant? {
    get { time("cached_at") }
    set { set("cached_at", newValue) }
  }
  /// The boot time at which the token was received.
  ///
  /// Only Tessera writes this member.
  package var receivedBootTime: BootTime? {
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

  /// The boot time at which the refresh for an access token started.
  ///
  /// Only Tessera writes this member.
  package var refreshBegan: BootTime? {
    get { self["tessera_refresh_began"].flatMap(BootTime.init) }
    set { self["tessera_refresh_began"] = newValue?.text }
  }

  /// The scopes of an access token, as a set.
  package var scopes: Scopes { Scopes(parsing: target ?? "") }

  /// Accesses any string member.
  ///
  /// A member of any other type, including null, reads as `nil`.
  package subscript(_ name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSONValue.string) }
  }

  /// Returns a time, which is stored as a string of decimal seconds.
  ///
  /// Fractions are accepted.
  private func time(_ name: String) -> Instant? {
    members[name]?.integer.map(Instant.init(secondsSince1970:))
  }

  private mutating func set(_ name: String, _ time: Instant?) {
    self[name] = time.map { String($0.secondsSince1970) }
  }
}
