// SPDX-License-Identifier: MIT
// What a token response puts into the cache, by the rules of the unified schema.

package import TesseraWire

/// A token response with what is needed to store it.
package struct TokenReceipt: Sendable {
  package var response: TokenResponse
  /// The checked claims of the ID token.
  package var claims: IDTokenClaims?
  package var identity: TokenIdentity
  package var clientID: String
  /// The host under which the cloud's records are stored, or the issuer.
  package var environment: String
  /// What was asked for, for a server that does not say what it granted.
  package var requestedScopes: Scopes
  /// Whether the provider knows families of applications.
  package var hasFamilies: Bool
  /// Whether what was asked for counts as granted, because the server names scopes in words of its own.
  package var trustsRequestedScopes = false
  /// What kind of account it is.
  package var accountType = AccountType.microsoft
  /// The capabilities of the application, as the claims that tell its tokens from others; nil for none.
  package var requestedClaims: String?
  /// The part of the cache that a protected program's access tokens lie in; nil for the one of all others.
  package var applicationIdentifier: String?
  /// The enrolment in Intune's app protection that the access token was given for; nil for none.
  package var enrollmentID: String?
  /// The scheme that was asked for; nil for bearer.
  package var scheme: TokenScheme?
  package var received: ResponseTime
  /// When the exchange began, for a refresh.
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

  /// The change that stores everything: access token, ID token, refresh token, app metadata, account.
  package var change: CacheChange {
    var change = CacheChange()
    if let accessToken { change.steps.append(.replaceAccessToken(accessToken)) }
    if let idToken { change.steps.append(.put(.credential(idToken))) }
    for token in refreshTokens { change.steps.append(.put(.credential(token))) }
    if let appMetadata { change.steps.append(.put(.appMetadata(appMetadata))) }
    change.steps.append(.mergeAccount(account))
    return change
  }
}

extension TokenReceipt {
  /// What was granted.
  package var grantedScopes: Scopes {
    guard let scopes = response.scopes else { return requestedScopes }
    return scopes.union(trustsRequestedScopes ? requestedScopes : scopes.rewording(requestedScopes))
  }

  /// The access token, if one came.
  package var accessToken: CredentialRecord? {
    guard let secret = response.accessToken else { return nil }
    var record = credential(scheme == nil ? .accessToken : .accessTokenWithAuthScheme, secret)
    record.realm = identity.realm
    record.target = grantedScopes.text
    record.applicationIdentifier = applicationIdentifier
    record.enrollmentID = enrollmentID
    record.requestedClaims = requestedClaims
    record.cachedAt = received.at
    record.receivedMoment = received.moment
    record.expiresAt = response.expiresAt
    record.extendedExpiresAt = response.extendedExpiresAt
    record.refreshAt = response.refreshAt
    record.refreshBegan = beganAt
    record.tokenType = scheme?.name
    record.keyID = scheme?.keyID
    return record
  }

  /// The ID token, if one came.
  package var idToken: CredentialRecord? {
    guard let secret = response.idToken else { return nil }
    var record = credential(.idToken, secret)
    record.realm = identity.realm
    return record
  }

  /// The refresh token: one record under the application and, in a family, a second one under the family.
  package var refreshTokens: [CredentialRecord] {
    guard let secret = response.refreshToken else { return [] }
    let own = credential(.refreshToken, secret)
    guard hasFamilies, let familyID = response.familyID else { return [own] }
    var shared = own
    shared.familyID = familyID
    return [shared, own]
  }

  /// What the response says of the application's family; a provider without families says nothing.
  package var appMetadata: AppMetadataRecord? {
    guard hasFamilies else { return nil }
    return AppMetadataRecord(
      clientID: clientID, environment: environment, familyID: response.familyID ?? "")
  }

  /// The account in the tenant of these tokens.
  package var account: AccountRecord {
    var record = AccountRecord(
      homeAccountID: identity.homeAccountID, environment: environment, realm: identity.realm,
      type: accountType)
    record.localAccountID = identity.localAccountID
    // They are shown to people, often by a terminal.
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
