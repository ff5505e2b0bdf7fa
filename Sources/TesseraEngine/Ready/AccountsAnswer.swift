// SPDX-License-Identifier: MIT
// The list of the accounts, with what it takes to give it again or to bring it up to date.

package import TesseraCache

/// The accounts that an application can use, with the state of the store they were read from.
///
/// Pages of accounts that stay as they are belong to the next list as well: nothing of them is touched.
package final class AccountsAnswer: Sendable {
  /// The accounts, in the order of ``AccountList``.
  let pages: [AccountPage]
  /// The state of the store; nil for an answer that must not be given again.
  package let version: StoreVersion?
  /// The state of the list, range by range; nil for one that can't be brought up to date.
  package let list: ListState?
  /// The range of each account.
  private let ranges: [UInt16]
  /// How many accounts there are.
  let count: Int
  /// The accounts side by side, once somebody has asked for them.
  private let made = SpinLock<[Account]?>(nil)

  /// The accounts of a snapshot; of one that shows only what has changed, together with those known before.
  package init(_ found: [Account], _ snapshot: CacheSnapshot, after known: AccountsAnswer?) {
    version = snapshot.version
    list = snapshot.list
    let foundRanges =
      list == nil
      ? [] : found.map { UInt16(truncatingIfNeeded: ListState.range(of: $0.homeAccountID)) }
    guard let changed = snapshot.ranges, let known, known.ranges.count == known.count else {
      (pages, ranges, count) = (AccountPage.pages(of: found), foundRanges, found.count)
      made.withLock { $0 = found }
      return
    }
    var merge = AccountMerge(known.pages, known.ranges, without: changed)
    for (account, range) in zip(found, foundRanges) { merge.insert(account, range) }
    let result = merge.result
    (pages, ranges, count) = (result.pages, result.ranges, result.ranges.count)
    guard var accounts = known.takeAccounts() else { return }
    for (places, pages) in result.replaced.reversed() {
      accounts.replaceSubrange(places, with: pages.flatMap(\.accounts))
    }
    made.withLock { $0 = accounts }
  }

  /// The answer, in the order of ``AccountList``.
  package var accounts: [Account] {
    made.withLock { made in
      if let made { return made }
      let all = pages.flatMap(\.accounts)
      made = all
      return all
    }
  }

  /// The accounts for the next list, which changes them in place unless the program still has them.
  private func takeAccounts() -> [Account]? {
    made.withLock { made in
      defer { made = nil }
      return made
    }
  }
}
