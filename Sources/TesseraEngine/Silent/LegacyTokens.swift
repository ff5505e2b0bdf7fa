// SPDX-License-Identifier: MIT
// The first token of a user known only from an older library: redeems the refresh token of that library, once.

import TesseraCache
import TesseraWire

/// The refresh tokens that older libraries left for the user of a silent request.
struct LegacyTokens {
  /// The maximum number of tokens that one call redeems for a user.
  ///
  /// The limit exceeds the number of tokens that ADAL stores for an application and its family, and bounds the
  /// duration.
  private static let maximumAttempts = 16

  /// The result of a redemption under the lock of a user name.
  private enum Outcome {
    case result(SilentResult)
    /// Another process has redeemed the token; it belongs to this home account ID.
    case alreadyRedeemed(homeAccountID: String)
    /// No token of the user name is usable.
    ///
    /// The value is the error response of the server, if a request was sent.
    case noUsableToken(TesseraError?)
  }

  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Acquires a token with a refresh token of an older library; returns `nil` if the user has no usable one.
  func token(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult? {
    guard call.authority.isEntra, !inputs.isSignedOut, let search = try search(inputs.snapshot)
    else {
      return nil
    }
    let items = try legacyItems(search, inputs)
    guard let first = items.first else { return nil }
    try checkSingleUser(first, items)
    if let record = inputs.activeThrottle(.missing) { throw call.recordedError(record) }
    let prepared = call.prepared(for: .missing)
    return try SilentThrottles(prepared).recordingFailure(.missing, inputs.snapshot) {
      () throws(TesseraError) in
      let resolved = try call.context.resolver.resolve(call.authority, prepared.serverClient)
      var rejection: TesseraError?
      var names: Set<ExactString> = []
      var attempts = LegacyTokens.maximumAttempts
      for name in items.map(\.userID) where attempts > 0 && names.insert(name).inserted {
        switch try LegacyTokens(prepared).upgrade(search.under(name), name, resolved, &attempts) {
        case .result(let result): return result
        case .noUsableToken(let error):
          rejection = [rejection, error].compactMap(\.self).last
        case .alreadyRedeemed(let home):
          // This runs without the lock, because the refresh takes its own.
          return try SilentFlow(call.changing { $0.homeAccountID = home }).run()
        }
      }
      if let rejection { throw rejection }
      return nil
    }
  }

  /// Runs `attempt`.
  ///
  /// If it fails because a sign-in is required, tries the tokens of older libraries, which may be newer.
  func token(
    unless attempt: () throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      return try attempt()
    } catch {
      guard error.permitsLegacyTokens,
        let snapshot = try? call.context.cache.snapshot(call.selection, within: call.limits)
      else { throw error }
      do throws(TesseraError) {
        if let result = try token(call.inputs(snapshot)) { return result }
      } catch let later {
        // The original error takes precedence, unless the later one does not require a sign-in.
        if later.remedy != .signIn { throw later }
      }
      throw error
    }
  }

  /// Returns whether an older library left a usable refresh token of this user.
  func exist(_ inputs: SilentInputs) throws(TesseraError) -> Bool {
    guard call.authority.isEntra, !call.request.isForApplication, !inputs.isSignedOut,
      let search = try search(inputs.snapshot)
    else {
      return false
    }
    return try !legacyItems(search, inputs).isEmpty
  }

  /// Returns the search for the user; `nil` if no cache was imported or the request identifies no user.
  ///
  /// User names change. With an account ID, the search includes earlier names and those of accounts without tokens.
  private func search(_ known: CacheSnapshot) throws(TesseraError) -> LegacyNameSearch? {
    guard try call.context.cache.hasImports(within: call.limits) else { return nil }
    var search = LegacySearch(clientID: call.context.configuration.clientID)
    search.environments = call.environments
    search.realm = call.authority.tenant
    search.username = call.request.username?.nonBlank
    guard let home = call.homeAccountID.nonBlank else {
      return search.username.map {
        LegacyNameSearch(search: search, names: [ExactString($0.normalised)])
      }
    }
    search.homeAccountID = home
    let account =
      call.account(home, in: known)
      ?? Account(
        homeAccountID: home, environment: call.environments.first ?? "", username: search.username,
        name: nil, tenantProfiles: [], isEntra: true)
    search.username = search.username ?? account.username
    search.objectIDs = account.objectIDs
    var names = try AccountDirectory(call.context, within: call.limits).legacyNames(of: account)
    if let name = search.username?.normalised { names.insert(name) }
    return LegacyNameSearch(search: search, names: names)
  }

  /// Returns the items that may be redeemed, in order of preference.
  private func legacyItems(
    _ search: LegacyNameSearch, _ inputs: SilentInputs
  ) throws(TesseraError) -> [LegacyItem] {
    var selection = SnapshotSelection()
    selection.keys = search.names.texts.map(LegacyAccountRecord.key)
    let snapshot = try call.context.cache.snapshot(selection, within: call.limits)
    var search = search.search
    search.familyID = inputs.snapshot.familyID(of: inputs.clientID)
    return search.candidates(in: snapshot.legacyAccounts.flatMap(\.items)).filter { item in
      guard let token = item.refreshToken, !isSpent(item, inputs) else { return false }
      return !inputs.supersededTokens.contains(token)
        && inputs.activeThrottle(redeeming: token) == nil
    }
  }

  /// Whether the account has or had a token that is newer than an item.
  private func isSpent(_ item: LegacyItem, _ inputs: SilentInputs) -> Bool {
    guard !call.homeAccountID.isEmpty, let upgrade = item.upgrade else { return false }
    return upgrade == .replaced || !inputs.knownRefreshTokens.isEmpty
  }

  /// Throws if the items belong to different users with the same user name.
  private func checkSingleUser(
    _ first: LegacyItem, _ items: [LegacyItem]
  ) throws(TesseraError) {
    let tenant = call.authority.tenant.normalised
    let isNamed =
      !call.homeAccountID.isEmpty
      || first.realm == tenant && !CloudTable.sharedTenants.contains(tenant)
    guard !isNamed, Set(texts: items.compactMap(\.identity)).count > 1 else { return }
    var wanted = AccountsRequest()
    wanted.username = first.userID
    throw .ambiguous(try AccountDirectory(call.context, within: call.limits).accounts(wanted))
  }

  /// Redeems the tokens of a user name under its lock.
  ///
  /// Another process may have done so before.
  private func upgrade(
    _ search: LegacyNameSearch, _ name: String, _ resolved: ResolvedAuthority,
    _ attempts: inout Int
  ) throws(TesseraError) -> Outcome {
    let lock = CredentialLock(
      environment: resolved.environment, owner: "legacy", homeAccountID: name)
    return try call.context.cache.withRefreshLock(
      on: lock, within: call.limits, reservingWithin: call.serverClient.limits
    ) { reservation throws(TesseraError) in
      try reservation.get()
      var rejection: TesseraError?
      while attempts > 0 {
        let snapshot = try call.context.cache.snapshot(
          call.selection, within: call.serverClient.limits)
        let inputs = call.inputs(snapshot)
        if case .useCached(let token) = SilentPlan(inputs) {
          return .result(call.result(for: token, snapshot))
        }
        if let record = inputs.activeThrottle(.missing) {
          throw rejection ?? call.recordedError(record)
        }
        guard let item = try legacyItems(search, inputs).first, let token = item.refreshToken
        else { break }
        if call.homeAccountID.isEmpty, let home = item.homeAccountID, item.upgrade != nil {
          return .alreadyRedeemed(homeAccountID: home)
        }
        attempts -= 1
        switch try LegacyRedemption(call).redeem(item, token, resolved, inputs) {
        case .result(let result): return .result(result)
        case .rejected(let error): rejection = rejection.map { error.caused(by: $0) } ?? error
        }
      }
      return .noUsableToken(rejection)
    }
  }
}

extension TesseraError {
  /// Whether a token of an older library is tried after this error of a silent call.
  ///
  /// The server would decline the same scopes again.
  var permitsLegacyTokens: Bool { remedy == .signIn && code != .serverDeclinedScopes }
}
