// SPDX-License-Identifier: MIT
// Who a silent request is for that has a name and no identifier, as programs know people that come from ADAL.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// A request with the identifier of the one person who has its name; as it is where there is no name, or no identifier.
  ///
  /// - Throws: `fixRequest` with code `ambiguous_account` for a name of several people: one is never picked.
  func identified(_ request: SilentRequest) throws(TesseraError) -> SilentRequest {
    guard request.homeAccountID.isEmpty, let name = request.username?.nonBlank else {
      return request
    }
    let limits = limits(request.timeoutMilliseconds)
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = request.environment
    let found = try accountsAnswer(within: limits).accounts.filter(wanted.matches)
    guard found.count < 2 else { throw .ambiguous(found) }
    var request = request
    if let account = found.first {
      request.homeAccountID = account.homeAccountID
      request.environment = request.environment ?? account.environment
      return request
    }
    // A name that the person had when an older library signed them in.
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let legacy = try cache.snapshot(selection, within: limits).legacyAccounts.first
    if let homes = legacy?.homeAccountIDs, let home = homes.first, homes.count == 1 {
      request.homeAccountID = home
    }
    return request
  }

  /// The names under which the caches of older libraries that were imported have a person; mostly none were.
  func legacyNames(
    of account: Account, within limits: CallLimits
  ) throws(TesseraError) -> Set<String> {
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    guard try !cache.snapshot(selection, within: limits).records.isEmpty else { return [] }
    selection.everyAccount = true
    let known = try cache.snapshot(selection, within: limits).legacyAccounts.filter { record in
      account.homeAccountID.isEmpty
        ? account.usernames.contains(record.name)
        : record.homeAccountIDs.contains(account.homeAccountID)
          || account.usernames.contains(record.name)
    }
    return Set(known.map(\.name))
  }
}
