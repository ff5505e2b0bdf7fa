// SPDX-License-Identifier: MIT
// A change of the cache as a value: applied to what is there when it is committed, not to what was seen before.

package import TesseraWire

/// What one call does to the cache, in order.
package struct CacheChange: Sendable {
  /// One step of a change.
  package enum Step: Sendable {
    /// Stores a record in place of an older one.
    case put(CacheRecord)
    /// Stores a record where there is none.
    case add(CacheRecord)
    /// Stores an access token and removes those it makes superfluous.
    case replaceAccessToken(CredentialRecord)
    /// Lays an account over what is stored of it.
    case mergeAccount(AccountRecord)
    /// Removes an application's access tokens for an account: the resources refuse what is older than a new sign-in.
    case forgetAccessTokens(homeAccountID: String, clientID: String, environment: String)
    /// Removes a credential, unless somebody has renewed it since it was read.
    case removeIfUnchanged(CredentialRecord)
    /// Does what a refresh brought, if its refresh token is still there.
    ///
    /// If it is gone, the account has signed out meanwhile, and stays so. If there is another one, somebody has signed in
    /// anew or was quicker: the refresh tokens stay as they are, a loser destroys nothing. A change that stands for several
    /// refreshes also comes after what was between them.
    indirect case renew(CredentialRecord, alsoAfter: [Secret] = [], [Step])
    /// Does something if credentials are still those that were seen before, or its own.
    ///
    /// Otherwise somebody has signed in or out or refreshed since, and that stays.
    indirect case unlessChanged([RecordKey: Secret?], [Step])
    /// Records that an account signed in, and where the authority led that it used.
    case signIn(
      homeAccountID: String, clientID: String, requested: String, result: String,
      isInstanceAware: Bool = false)
    /// Records who the one person of an application is, or that there is none.
    case setPrincipal(Principal?, clientID: String)
    /// Remembers a failure, and forgets those of the same account that are over.
    case throttle(ThrottleRecord, at: Clocks)
    /// Forgets the failures of an application's requests for an account; of those with some names, or of all of them.
    case forgetThrottles(homeAccountID: String, clientID: String, names: Set<String>?)
    /// Changes what is remembered of the sign-ins that hosts drive.
    case signIns(SignInRecord.Change)
    /// Changes what is kept of an older library's cache under a name.
    case legacy(name: String, LegacyAccountRecord.Change)
    /// Notes that a cache of an older library was imported, and when for the first time.
    case noteSource(LegacyFormat, at: Instant)
    /// Does what redeeming an older library's refresh token brought, if the token is still there.
    ///
    /// If it is gone, the account has signed out meanwhile. What the unified cache has meanwhile stays: it wins. The
    /// refresh tokens that were there before, and did not serve, are replaced.
    indirect case upgrade(
      name: String, Secret, homeAccountID: String, [Step], replacing: Set<Secret>)
    /// Removes what an application has of an account.
    case signOut(SignOut)
    /// Does what another library changed in the unified document.
    case exchange([CacheDocument.Edit])
    /// Removes every record of every account and application.
    case removeEverything
  }

  /// The steps.
  package var steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Whether tokens are removed because somebody wants them gone.
  package var removesSecrets: Bool {
    steps.contains { step in
      switch step {
      case .signOut, .removeEverything: true
      case .exchange(let edits): edits.contains { if case .remove = $0 { true } else { false } }
      default: false
      }
    }
  }

  /// Does all steps; the table makes sure that it is all or nothing.
  package func apply<Table: CacheTable>(to table: inout Table) throws(Table.Failure) {
    for step in steps {
      switch step {
      case .put(let record): try table.put(record)
      case .add(let record): try table.add(record)
      case .replaceAccessToken(let token): try table.replaceAccessToken(token)
      case .mergeAccount(let account): try table.mergeAccount(account)
      case .forgetAccessTokens(let account, let client, let environment):
        try table.forgetAccessTokens(of: account, client, environment)
      case .removeIfUnchanged(let record): try table.removeIfUnchanged(record)
      case .renew(let redeemed, let others, let steps):
        try table.renew(redeemed, alsoAfter: others, steps)
      case .unlessChanged(let seen, let steps):
        guard try table.isUnchanged(seen, besides: steps) else { continue }
        try CacheChange(steps).apply(to: &table)
      case .signIn(let account, let client, let requested, let result, let isInstanceAware):
        var metadata = try table.accountMetadata(of: client, account)
        metadata.signIn(
          account, requested: requested, result: result, instanceAware: isInstanceAware)
        try table.put(.accountMetadata(metadata))
      case .setPrincipal(let principal, let client):
        try table.setPrincipal(principal, of: client)
      case .throttle(let record, let clocks):
        try table.forgetThrottles(of: record.homeAccountID) { $0.isOver(at: clocks) }
        try table.put(.throttle(record))
      case .forgetThrottles(let account, let client, let names):
        try table.forgetThrottles(of: account) { record in
          record.clientID.normalised == client.normalised && names?.contains(record.name) != false
        }
      case .signIns(let change): try table.changeSignIns(change)
      case .legacy(let name, let change): try table.changeLegacy(name, change)
      case .noteSource(let format, let now): try table.noteSource(format, at: now)
      case .upgrade(let name, let token, let account, let steps, let replaced):
        try table.upgrade(name, token, to: account, steps, replacing: replaced)
      case .signOut(let signOut): try table.signOut(signOut)
      case .exchange(let edits): try table.exchange(edits)
      case .removeEverything: try table.removeEverything()
      }
    }
  }
}

extension CacheChange.Step {
  fileprivate var storesRefreshToken: Bool {
    guard case .put(.credential(let record)) = self else { return false }
    return record.type.isRefreshToken
  }
}

extension CacheTable {
  fileprivate mutating func renew(
    _ redeemed: CredentialRecord, alsoAfter others: [Secret], _ steps: [CacheChange.Step]
  ) throws(Failure) {
    guard case .credential(let stored)? = try record(at: redeemed.key) else { return }
    let isCurrent = stored.secret == redeemed.secret || others.contains(stored.secret)
    try CacheChange(steps.filter { isCurrent || !$0.storesRefreshToken }).apply(to: &self)
  }

  /// MSAL for Apple removes every token of the account with a scope in common.
  ///
  /// Tessera leaves out the scopes that every sign-in gets: with them, tokens for two resources would drive each
  /// other out.
  fileprivate mutating func replaceAccessToken(_ token: CredentialRecord) throws(Failure) {
    let scopes = token.scopes.significant
    var old: [CredentialRecord] = []
    for scope in scopes { old += try accessTokens(of: token.homeAccountID, having: scope) }
    for record in old
    where record.type == token.type && record.environment == token.environment
      && record.realm == token.realm && record.clientID.normalised == token.clientID.normalised
      && record.applicationIdentifier == token.applicationIdentifier
      && record.requestedClaims == token.requestedClaims
      && !CacheRecord.credential(record).lies(where: .credential(token))
    {
      try remove(record.key)
    }
    try put(.credential(token))
  }

  fileprivate func isUnchanged(
    _ seen: [RecordKey: Secret?], besides steps: [CacheChange.Step]
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

  /// Lays the account over what is stored of it, wherever that lies.
  mutating func mergeAccount(_ account: AccountRecord) throws(Failure) {
    var merged = account
    if case .account(let stored)? = try record(at: account.key) {
      merged = stored.overlaid(with: merged)
    }
    if let key = account.otherKey, case .account(let stored)? = try record(at: key) {
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

  fileprivate mutating func forgetThrottles(
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

  fileprivate mutating func forgetAccessTokens(
    of account: String, _ client: String, _ environment: String
  ) throws(Failure) {
    for token in try accessTokens(of: account, having: nil)
    where token.environment == environment && token.clientID.normalised == client.normalised {
      try remove(token.key)
    }
  }

  func accountMetadata(
    of clientID: String, _ homeAccountID: String?
  ) throws(Failure) -> AccountMetadataRecord {
    let empty = AccountMetadataRecord(clientID: clientID, homeAccountID: homeAccountID)
    guard case .accountMetadata(let stored)? = try record(at: empty.key) else { return empty }
    return stored
  }
}
