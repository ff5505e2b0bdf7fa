// SPDX-License-Identifier: MIT
// The refresh tokens of older libraries, which a silent call redeems if the cache has no usable one.

import TesseraCache
import TesseraWire

/// The refresh tokens that older libraries left for the user of a silent request.
struct LegacyTokens {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Acquires a token with a refresh token of an older library; returns `nil` if the user has no usable one.
  func token(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult? {
    guard let (call, inputs) = try searched(inputs), let items = inputs.legacyItems, !items.isEmpty
    else {
      return nil
    }
    try checkSingleUser(items)
    if let record = inputs.activeThrottle(.missing) { throw call.recordedError(record) }
    return try SilentRefresh(call).refresh(inputs.refreshTokens, nil, .missing, inputs.snapshot)
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
    try searched(inputs)?.inputs.refreshTokens.isEmpty == false
  }

  /// Returns the call and its inputs with the tokens of older libraries; `nil` if the call must not use them.
  private func searched(
    _ known: SilentInputs
  ) throws(TesseraError) -> (call: SilentContext, inputs: SilentInputs)? {
    guard self.call.authority.isEntra, !self.call.request.isForApplication, !known.isSignedOut,
      let search = try search(known.snapshot)
    else { return nil }
    let call = self.call.changing { $0.legacySearch = search }
    return (call, call.inputs(try call.context.cache.snapshot(call.selection, within: call.limits)))
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

  /// Throws if the items belong to different users with the same user name.
  private func checkSingleUser(_ items: [LegacyItem]) throws(TesseraError) {
    guard let first = items.first else { return }
    let tenant = call.authority.tenant.normalised
    let isNamed =
      !call.homeAccountID.isEmpty
      || first.realm == tenant && !CloudTable.sharedTenants.contains(tenant)
    guard !isNamed, Set(texts: items.compactMap(\.identity)).count > 1 else { return }
    var wanted = AccountsRequest()
    wanted.username = first.userID
    throw .ambiguous(try AccountDirectory(call.context, within: call.limits).accounts(wanted))
  }
}

extension TesseraError {
  /// Whether a token of an older library is tried after this error of a silent call.
  ///
  /// The server would decline the same scopes again.
  var permitsLegacyTokens: Bool { remedy == .signIn && code != .serverDeclinedScopes }
}
