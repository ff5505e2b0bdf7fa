// SPDX-License-Identifier: MIT
// The record of a token.

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
      type: type.number, homeAccountID: homeAccountID, environment: environment
    ).owned(by: homeAccountID)
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

extension CredentialRecord {
  /// Returns the names in the index of access tokens: the given scopes and, for a token of an application, each scope in
  /// its tenant.
  ///
  /// A service may have tokens of many tenants for one scope.
  package func indexNames(_ scopes: some Sequence<String>) -> [String] {
    let scopes = Array(scopes)
    guard homeAccountID.isEmpty, let realm = realm?.nonBlank else { return scopes }
    return scopes + scopes.map { TenantScope(scope: $0, tenant: realm).name }
  }

  /// The names under which the tokens that a token replaces are found: its scopes, in its tenant if it has no account.
  var searchNames: [String] {
    let scopes = Array(scopes.significant.texts)
    return Array(indexNames(scopes).suffix(scopes.count))
  }

  /// Whether an access token has a name in the index; true for `nil`.
  package func hasIndexName(_ name: String?) -> Bool {
    guard let name else { return true }
    let index = TenantScope(name)
    return Scopes.contains(index.scope, in: target ?? "")
      && (index.tenant.map { homeAccountID.isEmpty && realm?.normalised == $0 } ?? true)
  }
}

/// A scope in the index of access tokens, alone or in a tenant.
package struct TenantScope: Sendable, Hashable {
  /// The separator, which no scope contains.
  private static let separator: Character = "\n"

  /// The normalized scope.
  package let scope: String
  /// The normalized tenant; `nil` for any.
  package let tenant: String?

  package init(scope: String, tenant: String) {
    self.scope = scope
    self.tenant = tenant.normalised
  }

  /// Parses a name.
  package init(_ name: String) {
    let parts = name.split(separator: TenantScope.separator, maxSplits: 1)
    scope = String(parts.last ?? "")
    tenant = parts.count == 2 ? String(parts[0]) : nil
  }

  /// The name in the index.
  package var name: String { (tenant.map { "\($0)\(TenantScope.separator)" } ?? "") + scope }
}

extension CredentialRecord {
  private static let supersededMember = "tessera_superseded"
  private static let unverifiedMember = "tessera_unverified"

  /// Whether the server replaced this refresh token in a response that failed validation.
  ///
  /// It must not be sent again.
  ///
  /// The mark contains the token it applies to, because another library may keep the mark when it stores a new token.
  package var isSuperseded: Bool {
    guard let supersededToken = self[CredentialRecord.supersededMember] else { return false }
    return supersededToken == members["secret"]?.string
  }

  /// The record with the refresh token from the response that failed validation.
  ///
  /// It is only sent to be revoked.
  package var unverifiedSuccessor: CredentialRecord? {
    guard isSuperseded, let token = self[CredentialRecord.unverifiedMember] else { return nil }
    var record = self
    record["secret"] = token
    return record
  }

  /// Returns the record, marked as replaced by an unverified refresh token.
  package func superseded(by successor: Secret?) -> CredentialRecord {
    var record = self
    record[CredentialRecord.supersededMember] = secret.reveal()
    record[CredentialRecord.unverifiedMember] = successor?.reveal()
    return record
  }
}

extension CredentialRecord {
  /// The member with the alias that was replaced by a tenant ID.
  ///
  /// Only Tessera writes it.
  package static let tenantAliasMember = "tessera_realm"

  /// Returns the token with the tenant alias of an older record, unless it has its own.
  package func keepingTenantAlias(as older: CacheRecord) -> CredentialRecord {
    guard self[CredentialRecord.tenantAliasMember] == nil,
      let alias = older.members[CredentialRecord.tenantAliasMember]?.string
    else { return self }
    var token = self
    token[CredentialRecord.tenantAliasMember] = alias
    return token
  }
}

/// The type of a credential record.
package enum CredentialType: Int, Sendable, CaseIterable {
  case accessToken = 1
  case refreshToken = 2
  case idToken = 3
  case primaryRefreshToken = 5
  case v1IDToken = 6
  case accessTokenWithAuthScheme = 7
  case familyRefreshToken = 8
  case boundRefreshToken = 9

  /// The value of the `credential_type` member.
  package var name: String {
    switch self {
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .primaryRefreshToken: "PrimaryRefreshToken"
    case .v1IDToken: "V1IdToken"
    case .accessTokenWithAuthScheme: "AccessToken_With_AuthScheme"
    case .familyRefreshToken: "FamilyRefreshToken"
    case .boundRefreshToken: "BoundRefreshToken"
    }
  }

  /// Creates the type with a name, ignoring case.
  package init?(name: String) {
    guard
      let type = CredentialType.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
    else { return nil }
    self = type
  }

  /// The type number in the record key (`kSecAttrType` in a keychain).
  package var number: Int { 2000 + rawValue }

  /// Whether it is an access token, key-bound or not.
  package var isAccessToken: Bool {
    self == .accessToken || self == .accessTokenWithAuthScheme
  }

  /// Whether it can be redeemed for access tokens.
  package var isRefreshToken: Bool {
    switch self {
    case .refreshToken, .primaryRefreshToken, .familyRefreshToken, .boundRefreshToken: true
    default: false
    }
  }
}

/// The parts of a credential's key.
///
/// A query omits parts by leaving them `nil`.
package struct CredentialKeyParts: Sendable, Hashable {
  package var type: CredentialType
  package var homeAccountID: String?
  package var environment: String?
  package var clientID: String?
  package var familyID: String?
  package var realm: String?
  package var target: String?
  package var tokenType: String?
  package var applicationIdentifier: String?
  package var requestedClaims: String?

  package init(type: CredentialType) {
    self.type = type
  }

  /// The account attribute `<home account ID>-<environment>`, or `nil` if either part is missing.
  package var account: String? {
    guard let homeAccountID, let environment else { return nil }
    return "\(homeAccountID.normalised)-\(environment.normalised)"
  }

  /// The generic attribute: credential type, client or family ID, realm, and the application's partition.
  package var generic: String {
    // Refresh tokens are valid for every tenant, so they have no realm.
    let realm = type.isRefreshToken ? "" : realm?.normalised ?? ""
    let owner = (familyID?.nonBlank ?? clientID ?? "").normalised
    let partition = applicationIdentifier.map { "-" + $0.normalised } ?? ""
    return "\(type.name.lowercased())-\(owner)-\(realm)\(partition)"
  }

  /// The service attribute: the generic attribute and, for access tokens, the target, scheme and claims.
  package var service: String { service(after: generic) }

  /// Returns the service attribute for a generic attribute that was built before.
  func service(after generic: String) -> String {
    guard type.isAccessToken else { return generic + "-" }
    // Bearer is the default. MSAL Python and JavaScript write it; the other libraries omit it.
    let scheme = tokenType.map(\.normalised).flatMap {
      $0 == "bearer" || $0.isEmpty ? nil : "-" + $0
    }
    return "\(generic)-\((target ?? "").normalised)\(scheme ?? "")"
      + (requestedClaims?.nonBlank.map { "|" + CredentialKeyParts.claimsHash($0) } ?? "")
  }

  /// Returns the first seven hexadecimal digits of the SHA-256 of the normalised claims, as MSAL for Apple does.
  private static func claimsHash(_ claims: String) -> String {
    let digest = Cipher.sha256(claims.normalised)
    return String(Hexadecimal.text(digest.prefix(4)).prefix(7))
  }
}

/// An authentication scheme other than bearer.
package struct TokenScheme: Sendable, Hashable {
  /// The token type, such as `Pop`.
  package let name: String
  /// The thumbprint of the key.
  package let keyID: String

  package init(name: String, keyID: String) {
    self.name = name
    self.keyID = keyID
  }
}

/// The identity that a token response states.
package struct TokenIdentity: Sendable, Hashable {
  /// The home account ID, which is the same in all tenants.
  package let homeAccountID: String
  /// The tenant ID of the tokens, or an empty string for a provider without tenants.
  package let realm: String
  /// The user's ID in that tenant, if the response has an ID token.
  package let localAccountID: String?

  /// Creates the identity from a response.
  ///
  /// - Parameters:
  ///   - tenant: The tenant of the authority, used if the response names none.
  ///   - expected: The account whose refresh token was redeemed, used if the response names none. A refresh response
  ///     may omit both the ID token and `client_info` (OpenID Connect Core 12.2).
  ///   - hasTenants: Whether the provider is the Microsoft identity platform. Other providers' `tid` and `client_info`
  ///     are ignored.
  /// - Throws: ``WireError`` if the account is missing or has control characters, or if `client_info` is invalid.
  package init(
    _ response: TokenResponse, _ claims: IDTokenClaims?, tenant: String, expected: String?,
    hasTenants: Bool = true
  ) throws(WireError) {
    let client =
      hasTenants
      ? try response.clientInfo.map { text throws(WireError) in try ClientInfo(text) } : nil
    let named = client?.homeAccountID ?? claims?.subject
    guard named?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
      throw WireError(
        "identity_invalid",
        "The token response contains an account identifier with control characters.")
    }
    guard let home = named.map(TokenIdentity.identifier) ?? expected else {
      throw WireError(
        "identity_missing",
        "The token response identifies the user neither in client_info nor in an ID token.")
    }
    homeAccountID = home
    realm = hasTenants ? claims?.tenantID ?? client?.utid ?? tenant : tenant
    localAccountID = (claims?.objectID ?? claims?.subject).map { subject in
      // Object IDs of Microsoft Entra ID are case-insensitive; subjects of other providers are not.
      client == nil ? subject : subject.normalised
    }
  }

  /// Creates the identity of an application's own tokens.
  package init(ofApplicationIn tenant: String) {
    homeAccountID = ""
    realm = tenant
    localAccountID = nil
  }

  /// Returns the subject with all bytes other than printable ASCII percent-encoded, so that it has only one spelling.
  ///
  /// OpenID Connect Core 2 requires ASCII, but not every provider complies. A letter may have several encodings, and
  /// leading or trailing spaces may be lost. Two users must never get the same identifier.
  private static func identifier(of subject: String) -> String {
    guard !subject.utf8.allSatisfy(isPlain) else { return subject }
    return String(
      decoding: subject.utf8.flatMap {
        isPlain($0) ? [$0] : Array("%\(Hexadecimal.text([$0]))".utf8)
      },
      as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
  }
}
