// SPDX-License-Identifier: MIT
// The search for a user's tokens among those of older libraries.

import TesseraCache
import TesseraWire

/// A search with the user names that it covers.
struct LegacyNameSearch {
  var search: LegacySearch
  var names: Set<ExactString>

  /// Returns the same search, restricted to one user name.
  func under(_ name: String) -> LegacyNameSearch {
    LegacyNameSearch(search: search, names: [ExactString(name)])
  }
}

extension SilentFlow {
  /// Returns the search for the user; `nil` if no cache was imported or the request identifies no user.
  ///
  /// User names change. With an account ID, the search includes earlier names and those of accounts without tokens.
  func legacySearch(_ known: CacheSnapshot) throws(TesseraError) -> LegacyNameSearch? {
    guard try context.cache.hasImports(within: limits) else { return nil }
    var search = LegacySearch(clientID: context.configuration.clientID)
    search.environments = environments
    search.realm = authority.tenant
    search.username = request.username?.nonBlank
    guard let home = homeAccountID.nonBlank else {
      return search.username.map {
        LegacyNameSearch(search: search, names: [ExactString($0.normalised)])
      }
    }
    search.homeAccountID = home
    let account =
      account(home, in: known)
      ?? Account(
        homeAccountID: home, environment: environments.first ?? "", username: search.username,
        name: nil, tenantProfiles: [], isEntra: true)
    search.username = search.username ?? account.username
    search.objectIDs = account.objectIDs
    var names = try AccountDirectory(context, within: limits).legacyNames(of: account)
    if let name = search.username?.normalised { names.insert(name) }
    return LegacyNameSearch(search: search, names: names)
  }
}
