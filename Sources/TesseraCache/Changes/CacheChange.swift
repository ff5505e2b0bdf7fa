// SPDX-License-Identifier: MIT
// The changes of the cache: what a token response, a refresh or a removal writes.

package import TesseraWire

/// A step that only an optional feature has.
///
/// A commit applies it inside its transaction.
package protocol FeatureStep: Sendable {
  /// Whether the step removes tokens at the request of the user or the application.
  var removesSecrets: Bool { get }
  /// Whether the feature needs the outcome.
  var hasOutcome: Bool { get }

  /// Applies the step to a table.
  func apply<Table: CacheTable>(to table: inout Table) throws(Table.Failure) -> CommitOutcome
}

extension FeatureStep {
  package var removesSecrets: Bool { false }
  package var hasOutcome: Bool { false }
}

/// The steps by which one call changes the cache, in order.
package struct CacheChange: Sendable {
  /// A step of a change.
  package enum Step: Sendable {
    /// Store a record, replacing any older one.
    case put(CacheRecord)
    /// Store a record if its key is not in use.
    case add(CacheRecord)
    /// Store an access token, and remove those that it makes redundant.
    ///
    /// If the server declined scopes, a token that covers a scope which the new one lacks is kept.
    case replaceAccessToken(CredentialRecord, hasDeclinedScopes: Bool = false)
    /// Merge an account into the stored one.
    case mergeAccount(AccountRecord)
    /// Remove an application's access tokens for an account, because resources reject tokens older than a new sign-in.
    case removeAccessTokens(homeAccountID: String, clientID: String, environment: String)
    /// Remove a credential, unless another process has refreshed it since it was read.
    case removeIfUnchanged(CredentialRecord)
    /// Store the result of a refresh, if the redeemed refresh token is still stored.
    ///
    /// If it is missing, the account has signed out in the meantime, and nothing is stored. If there is a different
    /// one, another process has signed in or has refreshed first. The stored refresh tokens are then kept. A change
    /// that merges several refreshes also accepts the intermediate tokens (`alsoAccepting`). In every case, a new
    /// refresh token replaces the redeemed one in the other records of the account.
    indirect case renew(CredentialRecord, alsoAccepting: [Secret] = [], [Step])
    /// Apply the steps if the credentials are unchanged, or are those that the steps store.
    ///
    /// Otherwise another process changed these records in the meantime, and its version is kept.
    indirect case unlessChanged([RecordKey: Secret?], [Step])
    /// Record that an account signed in, and the authority to which the requested one resolved.
    case signIn(
      homeAccountID: String, clientID: String, requested: String, result: String,
      isInstanceAware: Bool = false)
    /// Record the current account of a single-account application, or that there is none.
    case setPrincipal(Principal?, clientID: String)
    /// Record a failure, and remove the expired ones of the same account.
    case throttle(ThrottleRecord, at: Clocks)
    /// Remove the recorded failures of an application for an account, either those with the given names or all of them.
    case removeThrottles(homeAccountID: String, clientID: String, names: Set<String>?)
    /// Change the record of host-driven sign-ins.
    case signIns(SignInRecord.Change)
    /// Change the imported account with a user name.
    case legacy(name: String, LegacyAccountRecord.Change)
    /// Record that a cache of an older library was imported, with the time of the first import.
    case recordImport(String, at: Instant)
    /// Store the result of redeeming an imported refresh token, if the token is still stored.
    ///
    /// If it is missing, the account has signed out in the meantime. Records that another process stored in the unified
    /// cache in the meantime are kept. The refresh tokens in `replacing` were there before but did not work, and are
    /// replaced.
    indirect case upgrade(
      name: String, Secret, homeAccountID: String, [Step], replacing: Set<Secret>)
    /// Remove the records of an account for an application.
    case signOut(SignOut)
    /// Apply a step of an optional feature.
    case feature(any FeatureStep)
    /// Remove every record.
    case removeEverything
  }

  /// The steps, in order.
  package var steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Whether the change removes tokens at the request of the user or the application.
  package var removesSecrets: Bool {
    steps.contains { step in
      switch step {
      case .signOut, .removeEverything: true
      case .feature(let step): step.removesSecrets
      default: false
      }
    }
  }

  /// Whether the change stores the result of redeeming a refresh token, or has a step with an outcome for its feature.
  package var hasOutcome: Bool {
    steps.contains { step in
      switch step {
      case .renew, .upgrade: true
      case .feature(let step): step.hasOutcome
      default: false
      }
    }
  }

  /// Applies all steps.
  ///
  /// The table guarantees atomicity.
  ///
  /// - Returns: The outcome of the last step that has one; `applied` if there is none.
  @discardableResult
  package func apply<Table: CacheTable>(
    to table: inout Table
  ) throws(Table.Failure) -> CommitOutcome {
    var outcome = CommitOutcome.applied
    for step in steps {
      switch step {
      case .put(let record): try table.put(record)
      case .add(let record): try table.add(record)
      case .replaceAccessToken(let token, let hasDeclinedScopes):
        try table.replaceAccessToken(token, hasDeclinedScopes: hasDeclinedScopes)
      case .mergeAccount(let account): try table.mergeAccount(account)
      case .removeAccessTokens(let account, let client, let environment):
        try table.removeAccessTokens(of: account, client, environment)
      case .removeIfUnchanged(let record): try table.removeIfUnchanged(record)
      case .renew(let redeemed, let others, let steps):
        outcome = try Renewal(redeemed: redeemed, others: others, steps: steps).apply(to: &table)
      case .unlessChanged(let seen, let steps):
        if try table.isUnchanged(seen, exceptBy: steps) { try CacheChange(steps).apply(to: &table) }
      case .signIn(let account, let client, let requested, let result, let isInstanceAware):
        try table.recordSignIn(of: account, client, requested, result, isInstanceAware)
      case .setPrincipal(let principal, let client):
        try table.setPrincipal(principal, of: client)
      case .throttle(let record, let clocks):
        try table.throttle(record, at: clocks)
      case .removeThrottles(let account, let client, let names):
        try table.removeThrottles(of: account, client, names)
      case .signIns(let change): try table.changeSignIns(change)
      case .legacy(let name, let change): try table.changeLegacy(name, change)
      case .recordImport(let format, let now): try table.recordImport(format, at: now)
      case .upgrade(let name, let token, let account, let steps, let replaced):
        outcome = try table.upgrade(name, token, to: account, steps, replacing: replaced)
      case .signOut(let signOut): try table.signOut(signOut)
      case .feature(let step):
        let result = try step.apply(to: &table)
        if step.hasOutcome { outcome = result }
      case .removeEverything: try table.removeEverything()
      }
    }
    return outcome
  }
}

extension CacheTable {
  /// Stores an access token, and removes those of the same account and application with a common scope.
  ///
  /// MSAL for Apple does the same, with all scopes. Tessera ignores the scopes that every sign-in grants. Otherwise,
  /// tokens for two resources would replace each other.
  ///
  /// If the server declined scopes, only the tokens whose scopes the new one covers are removed. MSAL for Apple also
  /// removes a valid token for the declined scopes, which the server would not issue again.
  fileprivate mutating func replaceAccessToken(
    _ token: CredentialRecord, hasDeclinedScopes: Bool
  ) throws(Failure) {
    let scopes = token.scopes.significant
    var old: [CredentialRecord] = []
    for name in token.searchNames { old += try accessTokens(of: token.homeAccountID, having: name) }
    for record in old
    where record.type == token.type && record.environment == token.environment
      && record.realm == token.realm && record.clientID.normalised == token.clientID.normalised
      && record.applicationIdentifier == token.applicationIdentifier
      && record.requestedClaims == token.requestedClaims
      && (!hasDeclinedScopes || record.scopes.significant.isSubset(of: scopes))
      && !CacheRecord.credential(record).hasSameKey(as: .credential(token))
    {
      try remove(record.key)
    }
    try put(.credential(token))
  }

  fileprivate func isUnchanged(
    _ seen: [RecordKey: Secret?], exceptBy steps: [CacheChange.Step]
  ) throws(Failure) -> Bool {
    let change = CacheChange(steps)
    let own = change.storedCredentials.merging(change.replacingAccessTokens) { first, _ in first }
    for (key, secret) in seen {
      var stored: Secret?
      if case .credential(let record)? = try record(at: key) { stored = record.secret }
      guard stored == secret || stored == own[key] else { return false }
    }
    return true
  }

  /// Merges an account into the stored one, under either of its keys.
  package mutating func mergeAccount(_ account: AccountRecord) throws(Failure) {
    var merged = account
    if case .account(let stored)? = try record(at: account.key) {
      merged = stored.overlaid(with: merged)
    }
    if let key = account.keyWithMicrosoftType, case .account(let stored)? = try record(at: key) {
      merged = stored.overlaid(with: merged)
      try remove(key)
    }
    try put(.account(merged))
  }

  fileprivate mutating func setPrincipal(
    _ principal: Principal?, of client: String
  ) throws(Failure) {
    var metadata = try accountMetadata(of: client, nil)
    metadata.principal = principal
    try put(.accountMetadata(metadata))
  }

  fileprivate mutating func removeIfUnchanged(_ record: CredentialRecord) throws(Failure) {
    guard case .credential(let stored)? = try self.record(at: record.key),
      stored.secret == record.secret
    else { return }
    try remove(record.key)
  }

  /// Records the accounts that an application requested and received.
  fileprivate mutating func recordSignIn(
    of account: String, _ client: String, _ requested: String, _ result: String,
    _ isInstanceAware: Bool
  ) throws(Failure) {
    var metadata = try accountMetadata(of: client, account)
    metadata.signIn(account, requested: requested, result: result, instanceAware: isInstanceAware)
    try put(.accountMetadata(metadata))
  }

  /// Stores a throttle, and removes the expired ones of its account.
  fileprivate mutating func throttle(_ record: ThrottleRecord, at clocks: Clocks) throws(Failure) {
    try removeThrottles(of: record.homeAccountID) { $0.hasExpired(at: clocks) }
    try put(.throttle(record))
  }

  /// Removes the throttles of an account and an application: those with the names, or all.
  fileprivate mutating func removeThrottles(
    of owner: String, _ client: String, _ names: Set<String>?
  ) throws(Failure) {
    try removeThrottles(of: owner) { record in
      record.clientID.normalised == client.normalised && names?.contains(record.name) != false
    }
  }

  fileprivate mutating func removeThrottles(
    of owner: String, where isUnwanted: (ThrottleRecord) -> Bool
  ) throws(Failure) {
    for case .throttle(let record) in try records(of: owner) where isUnwanted(record) {
      try remove(record.key)
    }
  }

  fileprivate mutating func changeSignIns(_ change: SignInRecord.Change) throws(Failure) {
    var stored: SignInRecord?
    if case .signIn(let record)? = try record(at: SignInRecord.key) { stored = record }
    if let changed = change.applied(to: stored) { try put(.signIn(changed)) }
  }

  fileprivate mutating func removeAccessTokens(
    of account: String, _ client: String, _ environment: String
  ) throws(Failure) {
    for token in try accessTokens(of: account, having: nil)
    where token.environment == environment && token.clientID.normalised == client.normalised {
      try remove(token.key)
    }
  }

  package func accountMetadata(
    of clientID: String, _ homeAccountID: String?
  ) throws(Failure) -> AccountMetadataRecord {
    let empty = AccountMetadataRecord(clientID: clientID, homeAccountID: homeAccountID)
    guard case .accountMetadata(let stored)? = try record(at: empty.key) else { return empty }
    return stored
  }
}

/// The result of a refresh, which replaces the redeemed refresh token.
struct Renewal {
  let redeemed: CredentialRecord
  /// The tokens that an earlier pending refresh may have stored in place of the redeemed one.
  let others: [Secret]
  let steps: [CacheChange.Step]

  /// Stores the result, if the redeemed refresh token is still stored.
  ///
  /// The server may have invalidated the redeemed token. Therefore it is also replaced in the records of the other
  /// applications of the family.
  func apply<Table: CacheTable>(to table: inout Table) throws(Table.Failure) -> CommitOutcome {
    let spent = Set([redeemed.secret] + others)
    let issued = steps.compactMap(\.refreshToken)
    var isStored = false
    if case .credential(let stored)? = try table.record(at: redeemed.key) {
      isStored = true
      let isCurrent = spent.contains(stored.secret)
      try CacheChange(steps.filter { isCurrent || $0.refreshToken == nil }).apply(to: &table)
    }
    try replaceCopies(of: spent, by: issued, in: &table)
    for own in issued where !isStored && own.familyID == nil {
      isStored = try table.record(at: own.key) != nil
    }
    return isStored ? .applied : .superseded(try removal(in: table))
  }

  /// Returns how the refresh token was removed before the result of its redemption could be stored.
  private func removal<Table: CacheTable>(
    in table: Table
  ) throws(Table.Failure) -> CommitOutcome.Removal {
    for case .mergeAccount(let account) in steps where try table.record(at: account.key) == nil {
      return .signOut
    }
    guard let clientID = steps.lazy.compactMap(\.credential).first?.clientID else {
      return .refreshToken
    }
    let metadata = try table.accountMetadata(of: clientID, redeemed.homeAccountID)
    return metadata.state(of: redeemed.homeAccountID) == .signedOut ? .signOut : .refreshToken
  }

  /// Replaces redeemed refresh tokens in all records of the account.
  ///
  /// Does nothing if the server kept the token.
  private func replaceCopies<Table: CacheTable>(
    of secrets: Set<Secret>, by issued: [CredentialRecord], in table: inout Table
  ) throws(Table.Failure) {
    let owner = redeemed.homeAccountID
    guard let issued = issued.first(where: { $0.familyID != nil }) ?? issued.first else { return }
    let spent = secrets.subtracting([issued.secret])
    guard !spent.isEmpty else { return }
    for case .credential(let copy) in try table.records(of: owner)
    where copy.type.isRefreshToken && spent.contains(copy.secret) {
      if let renewed = copy.renewed(by: issued) {
        try table.put(.credential(renewed))
      } else {
        try table.remove(copy.key)
      }
    }
    try table.removeOlderEntries(of: spent, in: owner)
  }
}

extension CacheChange.Step {
  /// The refresh token that the step stores, if any.
  fileprivate var refreshToken: CredentialRecord? {
    guard case .put(.credential(let record)) = self, record.type.isRefreshToken else { return nil }
    return record
  }

  /// The token that the step stores, if any.
  fileprivate var credential: CredentialRecord? {
    switch self {
    case .put(.credential(let record)), .replaceAccessToken(let record, _): record
    default: nil
    }
  }
}

extension CredentialRecord {
  /// Returns the record with a new refresh token, or `nil` if its application cannot use the token.
  fileprivate func renewed(by issued: CredentialRecord) -> CredentialRecord? {
    let isUsable =
      issued.familyID == nil
      ? familyID == nil && clientID.normalised == issued.clientID.normalised
      : familyID == nil || familyID?.normalised == issued.familyID?.normalised
    guard isUsable else { return nil }
    var record = self
    record["secret"] = issued.secret.reveal()
    return record
  }
}

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
