// SPDX-License-Identifier: MIT
// Incremental update of a sorted list of accounts: some ranges are removed, and their current accounts are inserted.

import TesseraCache

/// Updates a sorted list of accounts page by page.
struct AccountMerge {
  /// A change at an index of the old list.
  private struct Edit {
    let index: Int
    /// The inserted account and its range; `nil` to remove the account at the index.
    let inserted: (account: Account, range: UInt16)?
  }

  /// The updated list and its differences from the old one.
  struct Result {
    /// The range of each account.
    let ranges: [UInt16]
    fileprivate(set) var pages: [AccountPage] = []
    /// The replaced index ranges of the old list in ascending order, each with its new pages.
    private(set) var replaced: [(indices: Range<Int>, pages: [AccountPage])] = []

    fileprivate init(ranges: [UInt16]) { self.ranges = ranges }

    fileprivate mutating func replace(_ indices: Range<Int>, _ new: [AccountPage]) {
      pages += new
      replaced.append((indices, new))
    }
  }

  private let pages: [AccountPage]
  private let ranges: [UInt16]
  /// The index of the first account of each page.
  private let starts: [Int]
  private var edits: [Edit] = []
  /// The indices to remove that are not in `edits` yet, in descending order.
  private var removed: [Int] = []
  /// The index up to which all changes are in `edits`.
  private var done = 0

  /// Creates an update that removes the accounts of some ranges.
  init(_ pages: [AccountPage], _ ranges: [UInt16], without changed: [Int]) {
    self.pages = pages
    self.ranges = ranges
    var starts: [Int] = []
    var count = 0
    for page in pages {
      starts.append(count)
      count += page.entries.count
    }
    self.starts = starts
    var isRemoved = [Bool](repeating: false, count: AccountListVersion.rangeCount)
    for range in changed where isRemoved.indices.contains(range) { isRemoved[range] = true }
    for index in ranges.indices.reversed() where isRemoved[Int(ranges[index])] {
      removed.append(index)
    }
  }

  /// Inserts an account at its sorted position.
  ///
  /// Accounts must be inserted in sorted order.
  mutating func insert(_ account: Account, _ range: UInt16) {
    let index = index(of: account)
    remove(before: index)
    edits.append(Edit(index: index, inserted: (account, range)))
  }

  /// The updated list.
  var result: Result {
    var merge = self
    merge.remove(before: ranges.count)
    return merge.merged
  }

  private mutating func remove(before index: Int) {
    while let last = removed.last, last < index {
      edits.append(Edit(index: last, inserted: nil))
      removed.removeLast()
    }
    done = index
  }

  /// Returns the index of the first old account that does not precede an account.
  private func index(of account: Account) -> Int {
    var (low, high) = (done, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if AccountList.precedes(old(middle), account) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func old(_ index: Int) -> Account {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return Account(pages[low], index - starts[low])
  }

  private var mergedRanges: [UInt16] {
    var merged: [UInt16] = []
    merged.reserveCapacity(ranges.count + edits.count)
    var next = 0
    for edit in edits {
      merged += ranges[next..<edit.index]
      next = edit.index + (edit.inserted == nil ? 1 : 0)
      if let inserted = edit.inserted { merged.append(inserted.range) }
    }
    return merged + ranges[next...]
  }

  private var merged: Result {
    var result = Result(ranges: mergedRanges)
    var rest = edits[...]
    for (number, page) in pages.enumerated() {
      let start = starts[number]
      let end = number + 1 < starts.count ? starts[number + 1] : Int.max
      let own = rest.prefix { $0.index < end }
      rest = rest.dropFirst(own.count)
      if own.isEmpty {
        result.pages.append(page)
      } else {
        let new = AccountPage.pages(of: slices(of: page, from: start, own))
        result.replace(start..<start + page.entries.count, new)
      }
    }
    // Accounts remain here only if the old list was empty.
    let first = AccountPage.pages(of: rest.compactMap(\.inserted?.account))
    if !first.isEmpty { result.replace(0..<0, first) }
    return result
  }

  private func slices(
    of page: AccountPage, from start: Int, _ edits: ArraySlice<Edit>
  ) -> [AccountPage.PageSlice] {
    var slices: [AccountPage.PageSlice] = []
    var next = 0
    for edit in edits {
      let index = edit.index - start
      slices.append(AccountPage.PageSlice(page: page, range: next..<index))
      next = index + (edit.inserted == nil ? 1 : 0)
      if let account = edit.inserted?.account {
        let range = account.index..<account.index + 1
        slices.append(AccountPage.PageSlice(page: account.page, range: range))
      }
    }
    return slices + [AccountPage.PageSlice(page: page, range: next..<page.entries.count)]
  }
}
