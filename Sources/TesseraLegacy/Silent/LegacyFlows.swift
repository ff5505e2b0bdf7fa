// SPDX-License-Identifier: MIT
// The search for the imported tokens of a user, for the engine.

package import TesseraCache
package import TesseraEngine
import TesseraWire

/// The flows of imported tokens.
package struct LegacyFlows: ImportedTokens {
  /// Creates the flows.
  package init() {}

  /// Returns the search for the user; `nil` if no cache was imported or the request identifies no user.
  ///
  /// User names change. With an account ID, the search includes earlier names and those of accounts without tokens.
  package func search(
    _ call: SilentContext, _ known: CacheSnapshot
  ) throws(TesseraError) -> (any ImportedTokenSearch)? {
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
  package func checkSingleUser(
    _ items: [LegacyItem], of call: SilentContext
  ) throws(TesseraError) {
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

/// A search with the user names that it covers.
struct LegacyNameSearch: ImportedTokenSearch {
  var search: LegacySearch
  var names: Set<ExactString>

  var keys: [RecordKey] { names.texts.map(LegacyAccountRecord.key) }

  func checkOwner(
    of tokenRecords: TokenResponseRecords, _ item: LegacyItem, _ response: JSONObject,
    _ call: SilentContext
  ) throws(TesseraError) {
    try LegacyTokenOwner(call).check(tokenRecords, item, response)
  }

  /// Returns the items in a snapshot that may be redeemed, in order of preference.
  func items(_ inputs: SilentInputs) -> [LegacyItem] {
    var search = search
    search.familyID = inputs.snapshot.familyID(of: inputs.clientID)
    let superseded = inputs.supersededTokens
    return search.candidates(in: inputs.snapshot.legacyAccounts.flatMap(\.items)).filter { item in
      guard let token = item.refreshToken, !isSpent(item, inputs) else { return false }
      return !superseded.contains(token) && inputs.activeThrottle(redeeming: token) == nil
    }
  }

  /// Whether the account has or had a token that is newer than an item.
  private func isSpent(_ item: LegacyItem, _ inputs: SilentInputs) -> Bool {
    guard !inputs.homeAccountID.isEmpty, let upgrade = item.upgrade else { return false }
    return upgrade == .replaced || !inputs.knownRefreshTokens.isEmpty
  }
}
