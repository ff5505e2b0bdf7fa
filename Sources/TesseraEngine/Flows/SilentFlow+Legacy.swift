// SPDX-License-Identifier: MIT
// The first token of a person whom only an older library has signed in: its refresh token is redeemed here, once.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// A token by way of what an older library left; nil if it left nothing that can be used of this person.
  func upgraded(_ inputs: SilentInputs) throws(TesseraError) -> SilentAnswer? {
    guard authority.isEntra, !inputs.isSignedOut, let name = try legacyName() else { return nil }
    let items = try legacyItems(named: name, inputs)
    guard let first = items.first else { return nil }
    try checkOnePerson(first, items, name)
    if let record = inputs.pause(.missing) { throw remembered(record) }
    let flow = prepared(for: .missing)
    return try flow.remembering(.missing, inputs.snapshot) { () throws(TesseraError) in
      let resolved = try application.resolver.resolve(authority, flow.exchange)
      let lock = CredentialLock(
        environment: resolved.environment, owner: "legacy", homeAccountID: name.normalised)
      let outcome = try application.cache.withLock(on: lock, within: flow.limits) {
        () throws(TesseraError) in
        try flow.upgrade(under: name, resolved)
      }
      switch outcome {
      case .answer(let answer): return answer
      case .nothing: return nil
      case .upgraded(let home):
        // Without the lock: what is refreshed there has one of its own.
        var flow = self
        flow.homeAccountID = home
        return try flow.run()
      }
    }
  }

  /// What came of an upgrade under the lock of the name.
  private enum Outcome {
    case answer(SilentAnswer)
    /// Somebody has upgraded it meanwhile, and it turned out to be of this home account id.
    case upgraded(to: String)
    case nothing
  }

  /// Whether an older library left something that can be used of this person.
  func canUpgrade(_ inputs: SilentInputs) throws(TesseraError) -> Bool {
    guard authority.isEntra, !inputs.isSignedOut, let name = try legacyName() else { return false }
    return try !legacyItems(named: name, inputs).isEmpty
  }

  /// The name under which an older library may know the person; nil also where no cache of one was imported.
  private func legacyName() throws(TesseraError) -> String? {
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    guard try !application.cache.snapshot(selection, within: limits).records.isEmpty else {
      return nil
    }
    if let name = request.username?.nonBlank { return name }
    let accounts = try application.accountsAnswer(within: limits).accounts
    return accounts.first { $0.homeAccountID == homeAccountID }?.username
  }

  /// What may be redeemed, best first.
  private func legacyItems(
    named name: String, _ inputs: SilentInputs
  ) throws(TesseraError) -> [LegacyItem] {
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let snapshot = try application.cache.snapshot(selection, within: limits)
    var search = LegacySearch(clientID: inputs.clientID)
    search.username = name
    search.homeAccountID = homeAccountID.nonBlank
    search.familyID = inputs.snapshot.familyID(of: inputs.clientID)
    search.environments = environments
    search.realm = authority.tenant
    return search.candidates(in: snapshot.legacyAccounts.flatMap(\.items)).filter { item in
      item.refreshToken.map { inputs.refusal(of: $0) == nil } ?? false
    }
  }

  /// Two people with one address are never taken for each other.
  private func checkOnePerson(
    _ first: LegacyItem, _ items: [LegacyItem], _ name: String
  ) throws(TesseraError) {
    let tenant = authority.tenant.normalised
    let isNamed =
      !homeAccountID.isEmpty || first.realm == tenant && !CloudTable.sharedTenants.contains(tenant)
    guard !isNamed, Set(items.compactMap(\.identity)).count > 1 else { return }
    var wanted = AccountsRequest()
    wanted.username = name
    throw .ambiguous(try application.accounts(wanted))
  }

  /// Redeems, now that nobody else does; somebody may have done it meanwhile.
  private func upgrade(
    under name: String, _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> Outcome {
    try application.cache.prove(within: exchange.limits)
    var refusal: TesseraError?
    for _ in 0..<4 {
      let snapshot = try application.cache.snapshot(selection, within: exchange.limits)
      let inputs = inputs(snapshot)
      if case .use(let token) = SilentPlan(inputs) { return .answer(answer(token, snapshot)) }
      if let record = inputs.pause(.missing) { throw refusal ?? remembered(record) }
      guard let item = try legacyItems(named: name, inputs).first, let token = item.refreshToken
      else { break }
      if homeAccountID.isEmpty, let home = item.homeAccountID, item.wasUpgraded {
        return .upgraded(to: home)
      }
      switch try redeem(item, token, name, resolved, inputs) {
      case .answer(let answer): return .answer(answer)
      case .refused(let error): refusal = refusal.map { error.caused(by: $0) } ?? error
      }
    }
    if let refusal { throw refusal }
    return .nothing
  }

  private enum Redeemed {
    case answer(SilentAnswer)
    case refused(TesseraError)
  }

  private func redeem(
    _ item: LegacyItem, _ token: Secret, _ name: String, _ resolved: ResolvedAuthority,
    _ inputs: SilentInputs
  ) throws(TesseraError) -> Redeemed {
    let request = TokenRequest(
      grant: .refreshToken(token), clientID: application.configuration.clientID,
      scopes: scopes.union(.reserved), claims: claims, asksForClientInfo: true)
    application.surroundings.log.write(.information, "Redeeming what an older library left")
    var exchange = exchange
    exchange.homeAccountID = homeAccountID.nonBlank
    let answer = try exchange.redeem(
      request.adding(extras), at: resolved.tokenEndpoint(in: inputs.realm), of: authority)
    switch answer {
    case .success(let json, let received):
      return .answer(try keep(json, received, item, token, name, resolved, inputs.snapshot))
    case .refusal(let refusal):
      var error = TesseraError(refusal, correlationID: exchange.correlationID)
      if [.accessDenied, .requestRejected].contains(error.code) {
        error.remedy = .signIn
        error.code = .interactionRequired
      }
      if refusal.isFinal {
        application.keep(CacheChange([.legacy(name: name, .retire(token))]))
      } else {
        remember(
          error, as: subject.name(redeeming: token),
          forSeconds: ThrottleRule.refusedSeconds(after: error))
      }
      guard error.remedy == .signIn else { throw error }
      return .refused(error)
    }
  }

  /// Stores what came back, if it is the person's whom the older library knew (MSAL for Apple does not look).
  private func keep(
    _ json: JSONObject, _ received: Arrival, _ item: LegacyItem, _ token: Secret, _ name: String,
    _ resolved: ResolvedAuthority, _ before: CacheSnapshot
  ) throws(TesseraError) -> SilentAnswer {
    var expected = TokenExpectation(
      authority: resolved, clientID: application.configuration.clientID, scopes: scopes)
    expected.requestedClaims = application.capabilityClaims
    let receipt = try TokenReceipt(json, expected, received)
    let isAsked = homeAccountID.isEmpty || homeAccountID == receipt.identity.homeAccountID
    guard isAsked, item.isOf(receipt.identity, receipt.claims) else {
      application.keep(CacheChange([.legacy(name: name, .retire(token))]))
      throw TesseraError(
        .signIn, .accountMismatch,
        """
        What an older library left as \(MaskedName(name)) are the tokens of somebody else; they were not stored, and \
        are not tried again: sign in.
        """)
    }
    var change = CacheChange([
      .upgrade(
        name: name, token, homeAccountID: receipt.identity.homeAccountID,
        stored(receipt, from: resolved).steps)
    ])
    if let step = forgettingThrottles(before, token) { change.steps.append(step) }
    do throws(TesseraError) {
      let result = try application.store(change, receipt, from: resolved, scopes, nil)
      return SilentAnswer(result: result, truth: nil)
    } catch {
      rememberDeclined(error, receipt.response.refreshToken ?? token)
      throw error
    }
  }
}

extension ServerError {
  /// Whether a refresh token of an older library will never be good again.
  ///
  /// Without a word of what is missing, `invalid_grant` means the token itself.
  fileprivate var isFinal: Bool {
    error == "invalid_grant" && [nil, "bad_token", "token_expired"].contains(suberror)
  }
}
