// SPDX-License-Identifier: MIT
// The first token of a person whom only an older library has signed in: its refresh token is redeemed here, once.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// The most tokens of a person that one call shows to the server: more than ADAL leaves at the places of an application
  /// and of its family, few enough to wait for.
  private static let mostAttempts = 16

  /// A token by way of what an older library left; nil if it left nothing that can be used of this person.
  func upgraded(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult? {
    guard authority.isEntra, !inputs.isSignedOut, let search = try legacySearch(inputs.snapshot)
    else {
      return nil
    }
    let items = try legacyItems(search, inputs)
    guard let first = items.first else { return nil }
    try checkOnePerson(first, items)
    if let record = inputs.pause(.missing) { throw remembered(record) }
    let flow = prepared(for: .missing)
    return try flow.remembering(.missing, inputs.snapshot) { () throws(TesseraError) in
      let resolved = try application.resolver.resolve(authority, flow.exchange)
      var refusal: TesseraError?
      var names: Set<String> = []
      var attempts = SilentFlow.mostAttempts
      for name in items.map(\.userID) where attempts > 0 && names.insert(name).inserted {
        switch try flow.upgrade(search.under(name), name, resolved, &attempts) {
        case .answer(let answer): return answer
        case .nothing(let error):
          refusal = [refusal, error].compactMap(\.self).last
        case .upgraded(let home):
          // Without the lock: what is refreshed there has one of its own.
          var flow = self
          flow.homeAccountID = home
          return try flow.run()
        }
      }
      if let refusal { throw refusal }
      return nil
    }
  }

  /// What an older library left, where what the unified cache has ends in a sign-in: it may have signed in since.
  func upgraded(
    unless attempt: () throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      return try attempt()
    } catch {
      guard error.remedy == .signIn, error.code != .serverDeclinedScopes,
        let snapshot = try? application.cache.snapshot(selection, within: limits)
      else { throw error }
      do throws(TesseraError) {
        if let answer = try upgraded(inputs(snapshot)) { return answer }
      } catch let later {
        // What the server says of the person's own sign-in leads, unless it is too early to tell.
        if later.remedy != .signIn { throw later }
      }
      throw error
    }
  }

  /// What came of an upgrade under the lock of the name.
  private enum Outcome {
    case answer(SilentResult)
    /// Somebody has upgraded it meanwhile, and it turned out to be of this home account id.
    case upgraded(to: String)
    /// Nothing that is left of the name can be used; the server's refusal of it, if it was asked.
    case nothing(TesseraError?)
  }

  /// Whether an older library left something that can be used of this person.
  func canUpgrade(_ inputs: SilentInputs) throws(TesseraError) -> Bool {
    guard authority.isEntra, !request.isForApplication, !inputs.isSignedOut,
      let search = try legacySearch(inputs.snapshot)
    else {
      return false
    }
    return try !legacyItems(search, inputs).isEmpty
  }

  /// What may be redeemed, best first.
  private func legacyItems(
    _ search: NamedSearch, _ inputs: SilentInputs
  ) throws(TesseraError) -> [LegacyItem] {
    var selection = SnapshotSelection()
    selection.keys = search.names.map(LegacyAccountRecord.key)
    let snapshot = try application.cache.snapshot(selection, within: limits)
    var search = search.search
    search.familyID = inputs.snapshot.familyID(of: inputs.clientID)
    // What was redeemed once is older than the sign-in that it brought.
    let hasOwn = !homeAccountID.isEmpty && !inputs.refreshTokens.isEmpty
    return search.candidates(in: snapshot.legacyAccounts.flatMap(\.items)).filter { item in
      guard let token = item.refreshToken, !(hasOwn && item.wasUpgraded) else { return false }
      return inputs.refusal(of: token) == nil
    }
  }

  /// Two people with one address are never taken for each other.
  private func checkOnePerson(
    _ first: LegacyItem, _ items: [LegacyItem]
  ) throws(TesseraError) {
    let tenant = authority.tenant.normalised
    let isNamed =
      !homeAccountID.isEmpty || first.realm == tenant && !CloudTable.sharedTenants.contains(tenant)
    guard !isNamed, Set(items.compactMap(\.identity)).count > 1 else { return }
    var wanted = AccountsRequest()
    wanted.username = first.userID
    throw .ambiguous(try application.accounts(wanted))
  }

  /// Redeems what is left of a name, when nobody else does; somebody may have done it meanwhile.
  private func upgrade(
    _ search: NamedSearch, _ name: String, _ resolved: ResolvedAuthority,
    _ attempts: inout Int
  ) throws(TesseraError) -> Outcome {
    let lock = CredentialLock(
      environment: resolved.environment, owner: "legacy", homeAccountID: name)
    return try application.cache.withLock(on: lock, within: limits) { () throws(TesseraError) in
      try application.cache.prove(within: exchange.limits)
      var refusal: TesseraError?
      while attempts > 0 {
        let snapshot = try application.cache.snapshot(selection, within: exchange.limits)
        let inputs = inputs(snapshot)
        if case .use(let token) = SilentPlan(inputs) { return .answer(answer(token, snapshot)) }
        if let record = inputs.pause(.missing) { throw refusal ?? remembered(record) }
        guard let item = try legacyItems(search, inputs).first, let token = item.refreshToken
        else { break }
        if homeAccountID.isEmpty, let home = item.homeAccountID, item.wasUpgraded {
          return .upgraded(to: home)
        }
        attempts -= 1
        switch try redeem(item, token, resolved, inputs) {
        case .answer(let answer): return .answer(answer)
        case .refused(let error): refusal = refusal.map { error.caused(by: $0) } ?? error
        }
      }
      return .nothing(refusal)
    }
  }
}
