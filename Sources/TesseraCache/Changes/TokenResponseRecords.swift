// SPDX-License-Identifier: MIT
// The records that a token response adds to the cache, by the rules of the unified schema.

package import TesseraWire

/// A token response, with the data that is needed to store it.
package struct TokenResponseRecords: Sendable {
  package var response: TokenResponse
  /// The validated claims of the ID token.
  package var claims: IDTokenClaims?
  package var identity: TokenIdentity
  package var clientID: String
  /// The host under which the cloud's records are stored, or the issuer.
  package var environment: String
  /// The requested scopes, used if the response does not state the granted ones.
  package var requestedScopes: Scopes
  /// Whether the provider has families of applications.
  package var hasFamilies: Bool
  /// Whether the requested scopes count as granted, because the server uses different names for scopes.
  package var trustsRequestedScopes = false
  /// The type of the account.
  package var accountType = AccountType.microsoft
  /// The client capabilities of the application, in the form stored with its tokens, or `nil` for none.
  package var requestedClaims: String?
  /// The cache partition for access tokens of an app-protected application; `nil` for the default partition.
  package var applicationIdentifier: String?
  /// The Intune app-protection enrollment ID for which the access token was issued, if any.
  package var enrollmentID: String?
  /// The requested authentication scheme, or `nil` for bearer.
  package var scheme: TokenScheme?
  package var received: ResponseTime
  /// The time at which a refresh started.
  package var beganAt: BootTime?

  package init(
    response: TokenResponse, claims: IDTokenClaims?, identity: TokenIdentity, clientID: String,
    environment: String, requestedScopes: Scopes, hasFamilies: Bool, scheme: TokenScheme? = nil,
    received: ResponseTime
  ) {
    self.response = response
    self.claims = claims
    self.identity = identity
    self.clientID = clientID
    self.environment = environment
    self.requestedScopes = requestedScopes
    self.hasFamilies = hasFamilies
    self.scheme = scheme
    self.received = received
  }

  /// The change that stores all records: access token, ID token, refresh tokens, app metadata and account.
  package var change: CacheChange {
    var change = CacheChange()
    if let accessToken {
      let hasDeclinedScopes = !declinedScopes(of: requestedScopes).isEmpty
      change.steps.append(.replaceAccessToken(accessToken, hasDeclinedScopes: hasDeclinedScopes))
    }
    if let idToken { change.steps.append(.put(.credential(idToken))) }
    for token in refreshTokens { change.steps.append(.put(.credential(token))) }
    if let appMetadata { change.steps.append(.put(.appMetadata(appMetadata))) }
    change.steps.append(.mergeAccount(account))
    return change
  }
}

extension TokenResponseRecords {
  /// The granted scopes.
  package var grantedScopes: Scopes {
    guard let scopes = response.scopes else { return requestedScopes }
    return scopes.union(
      trustsRequestedScopes ? requestedScopes : scopes.equivalents(requestedScopes))
  }

  /// Returns the requested scopes that were not granted; empty if the token covers the request.
  package func declinedScopes(of requested: Scopes) -> [String] {
    grantedScopes.covers(requested) ? [] : requested.minus(grantedScopes).list
  }

  /// The access token, if the response has one.
  package var accessToken: CredentialRecord? {
    guard let secret = response.accessToken else { return nil }
    var record = credential(scheme == nil ? .accessToken : .accessTokenWithAuthScheme, secret)
    record.realm = identity.realm
    record.target = grantedScopes.text
    record.applicationIdentifier = applicationIdentifier
    record.enrollmentID = enrollmentID
    record.requestedClaims = requestedClaims
    record.cachedAt = received.at
    record.receivedBootTime = received.bootTime
    record.expiresAt = response.expiresAt
    record.extendedExpiresAt = response.extendedExpiresAt
    record.refreshAt = response.refreshAt
    record.refreshBegan = beganAt
    record.tokenType = scheme?.name
    record.keyID = scheme?.keyID
    return record
  }

  /// The ID token, if the response has one.
  package var idToken: CredentialRecord? {
    guard let secret = response.idToken else { return nil }
    var record = credential(.idToken, secret)
    record.realm = identity.realm
    return record
  }

  /// The refresh token as one record for the application and, in a family, another one for the family.
  package var refreshTokens: [CredentialRecord] {
    guard let secret = response.refreshToken else { return [] }
    let own = credential(.refreshToken, secret)
    guard hasFamilies, let familyID = response.familyID else { return [own] }
    var shared = own
    shared.familyID = familyID
    return [shared, own]
  }

  /// The family membership of the application, or `nil` if the provider has no families.
  package var appMetadata: AppMetadataRecord? {
    guard hasFamilies else { return nil }
    return AppMetadataRecord(
      clientID: clientID, environment: environment, familyID: response.familyID ?? "")
  }

  /// The account in the tenant of the tokens.
  package var account: AccountRecord {
    var record = AccountRecord(
      homeAccountID: identity.homeAccountID, environment: environment, realm: identity.realm,
      type: accountType)
    record.localAccountID = identity.localAccountID
    // These values are displayed to users, often in a terminal.
    record.username = claims?.username?.plain(atMost: 1000)
    record.name = claims?.name?.plain(atMost: 1000)
    record.givenName = claims?.givenName
    record.middleName = claims?.middleName
    record.familyName = claims?.familyName
    record.clientInfo = response.clientInfo
    return record
  }

  private func credential(_ type: CredentialType, _ secret: Secret) -> CredentialRecord {
    var record = CredentialRecord(type: type, secret: secret)
    record.homeAccountID = identity.homeAccountID
    record.environment = environment
    record.clientID = clientID
    return record
  }
}
