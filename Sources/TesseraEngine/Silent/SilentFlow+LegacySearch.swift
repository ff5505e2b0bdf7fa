// SPDX-License-Identifier: MIT
// Where the tokens of a person are looked for among what older libraries left.

import TesseraCache
import TesseraWire

/// A search with the names under which it looks.
struct NamedSearch {
  var search: LegacySearch
  var names: Set<String>

  /// The same search under one name.
  func under(_ name: String) -> NamedSearch { NamedSearch(search: search, names: [name]) }
}

extension SilentFlow {
  /// The search for the person; nil where no cache of an older library was imported, or nobody is named.
  ///
  /// People get other names: with an identifier the older names that it has count as well, and those of an account of which
  /// no token is left.
  func legacySearch(_ known: CacheSnapshot) throws(TesseraError) -> NamedSearch? {
    guard try application.cache.hasImports(within: limits) else { return nil }
    var search = LegacySearch(clientID: application.configuration.clientID)
    search.environments = environments
    search.realm = authority.tenant
    search.username = request.username?.nonBlank
    guard let home = homeAccountID.nonBlank else {
      return search.username.map { NamedSearch(search: search, names: [$0.normalised]) }
    }
    search.homeAccountID = home
    let account =
      account(home, in: known)
      ?? Account(
        homeAccountID: home, environment: environments.first ?? "", username: search.username,
        name: nil, tenantProfiles: [], isEntra: true)
    search.username = search.username ?? account.username
    search.objectIDs = account.objectIDs
    let names = try application.legacyNames(of: account, within: limits)
    return NamedSearch(
      search: search, names: names.union([search.username?.normalised].compactMap(\.self)))
  }
}
