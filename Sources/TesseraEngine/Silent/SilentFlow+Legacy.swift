// SPDX-License-Identifier: MIT
// The first token of a user known only from an older library: redeems the refresh token of that library, once.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// The maximum number of tokens that one call redeems for a user.
  ///
  /// The limit exceeds the number of tokens that ADAL stores for an application and its family, and bounds the
  /// duration.
  private static let maximumAttempts = 16

  /// Acquires a token with a refresh token of an older library; returns `nil` if the user has no usable one.
  func tokenFromLegacyCache(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult? {
    guard authority.isEntra, !inputs.isSignedOut, let search = try legacySearch(inputs.snapshot)
    else {
      return nil
    }
    let items = try legacyItems(search, inputs)
    guard let first = items.first else { return nil }
    try checkSingleUser(first, items)
    if let record = inputs.activeThrottle(.missing) { throw recordedError(record) }
    let flow = prepared(for: .missing)
    return try flow.recordingFailure(.missing, inputs.snapshot) { () throws(TesseraError) in
      let resolved = try context.resolver.resolve(authority, flow.serverClient)
      var rejection: TesseraError?
      var names: Set<ExactString> = []
      var attempts = SilentFlow.maximumAttempts
      for name in items.map(\.userID) where attempts > 0 && names.insert(name).inserted {
        switch try flow.upgrade(search.under(name), name, resolved, &attempts) {
        case .result(let result): return result
        case .noUsableToken(let error):
          rejection = [rejection, error].compactMap(\.self).last
        case .alreadyRedeemed(let home):
          // This runs without the lock, because the refresh takes its own.
          var flow = self
          flow.homeAccountID = home
          return try flow.run()
        }
      }
      if let rejection { throw rejection }
      return nil
    }
  }

  /// Runs `attempt`.
  ///
  /// If it fails because a sign-in is required, tries the tokens of older libraries, which may be newer.
  func tokenFromLegacyCache(
    unless attempt: () throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      return try attempt()
    } catch {
      guard error.permitsLegacyTokens,
        let snapshot = try? context.cache.snapshot(selection, within: limits)
      else { throw error }
      do throws(TesseraError) {
        if let result = try tokenFromLegacyCache(inputs(snapshot)) { return result }
      } catch let later {
        // The original error takes precedence, unless the later one does not require a sign-in.
        if later.remedy != .signIn { throw later }
      }
      throw error
    }
  }

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

  /// Returns whether an older library left a usable refresh token of this user.
  func canUseLegacyCache(_ inputs: SilentInputs) throws(TesseraError) -> Bool {
    guard authority.isEntra, !request.isForApplication, !inputs.isSignedOut,
      let search = try legacySearch(inputs.snapshot)
    else {
      return false
    }
    return try !legacyItems(search, inputs).isEmpty
  }

  /// Returns the items that may be redeemed, in order of preference.
  private func legacyItems(
    _ search: LegacyNameSearch, _ inputs: SilentInputs
  ) throws(TesseraError) -> [LegacyItem] {
    var selection = SnapshotSelection()
    selection.keys = search.names.texts.map(LegacyAccountRecord.key)
    let snapshot = try context.cache.snapshot(selection, within: limits)
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
    guard !homeAccountID.isEmpty, let upgrade = item.upgrade else { return false }
    return upgrade == .replaced || !inputs.knownRefreshTokens.isEmpty
  }

  /// Throws if the items belong to different users with the same user name.
  private func checkSingleUser(
    _ first: LegacyItem, _ items: [LegacyItem]
  ) throws(TesseraError) {
    let tenant = authority.tenant.normalised
    let isNamed =
      !homeAccountID.isEmpty || first.realm == tenant && !CloudTable.sharedTenants.contains(tenant)
    guard !isNamed, Set(texts: items.compactMap(\.identity)).count > 1 else { return }
    var wanted = AccountsRequest()
    wanted.username = first.userID
    throw .ambiguous(try AccountDirectory(context, within: limits).accounts(wanted))
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
    return try context.cache.withLock(on: lock, within: limits) { () throws(TesseraError) in
      try context.cache.checkWritable(within: serverClient.limits)
      var rejection: TesseraError?
      while attempts > 0 {
        let snapshot = try context.cache.snapshot(selection, within: serverClient.limits)
        let inputs = inputs(snapshot)
        if case .useCached(let token) = SilentPlan(inputs) {
          return .result(result(for: token, snapshot))
        }
        if let record = inputs.activeThrottle(.missing) { throw rejection ?? recordedError(record) }
        guard let item = try legacyItems(search, inputs).first, let token = item.refreshToken
        else { break }
        if homeAccountID.isEmpty, let home = item.homeAccountID, item.upgrade != nil {
          return .alreadyRedeemed(homeAccountID: home)
        }
        attempts -= 1
        switch try redeem(item, token, resolved, inputs) {
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
