// SPDX-License-Identifier: MIT
// The cached list of accounts, with the state needed to update it incrementally.

package import TesseraCache

/// The accounts that an application can use, with the version of the store from which they were read.
///
/// Unchanged pages of accounts are shared with the next list.
package final class CachedAccountList: Sendable {
  /// The accounts, in the order of ``AccountList``.
  let pages: [AccountPage]
  /// The version of the store; `nil` for a list that must not be cached.
  package let version: StoreVersion?
  /// The state of the list by range; `nil` for a list that cannot be updated incrementally.
  package let list: AccountListVersion?
  /// The range of each account.
  private let ranges: [UInt16]
  /// The number of accounts.
  let count: Int
  /// The accounts as one array, created at the first access.
  private let array = SpinLock<[Account]?>(nil)

  /// Creates the list from a snapshot.
  ///
  /// If the snapshot contains only changed ranges, it is merged with the previous list.
  package init(_ found: [Account], _ snapshot: CacheSnapshot, after known: CachedAccountList?) {
    version = snapshot.version
    list = snapshot.list
    let foundRanges =
      list == nil
      ? []
      : found.map { UInt16(truncatingIfNeeded: AccountListVersion.range(of: $0.homeAccountID)) }
    guard let changed = snapshot.ranges, let known, known.ranges.count == known.count else {
      (pages, ranges, count) = (AccountPage.pages(of: found), foundRanges, found.count)
      array.withLock { $0 = found }
      return
    }
    var merge = AccountMerge(known.pages, known.ranges, without: changed)
    for (account, range) in zip(found, foundRanges) { merge.insert(account, range) }
    let result = merge.result
    (pages, ranges, count) = (result.pages, result.ranges, result.ranges.count)
    guard var accounts = known.takeAccounts() else { return }
    for (indices, pages) in result.replaced.reversed() {
      accounts.replaceSubrange(indices, with: pages.flatMap(\.accounts))
    }
    array.withLock { $0 = accounts }
  }

  /// The accounts, in the order of ``AccountList``.
  package var accounts: [Account] {
    array.withLock { array in
      if let array { return array }
      let all = pages.flatMap(\.accounts)
      array = all
      return all
    }
  }

  /// Moves the array to the next list, which updates it in place unless the application also holds it.
  private func takeAccounts() -> [Account]? {
    array.withLock { array in
      defer { array = nil }
      return array
    }
  }
}
