// SPDX-License-Identifier: MIT
// A sorted list of accounts with some ranges of people taken out, and others put in their place.

import TesseraCache

/// A sorted list of accounts that is brought up to date, page by page.
struct AccountMerge {
  /// Something that becomes different before or at a place of the old list.
  private struct Edit {
    let place: Int
    /// Who is put there, and the range; nil removes who is there.
    let inserted: (account: Account, range: UInt16)?
  }

  /// A list, and how it differs from the one before.
  struct Result {
    /// The range of each account.
    let ranges: [UInt16]
    fileprivate(set) var pages: [AccountPage] = []
    /// Places of the old list, in order, and the pages that hold who is there now.
    private(set) var replaced: [(places: Range<Int>, pages: [AccountPage])] = []

    fileprivate init(ranges: [UInt16]) { self.ranges = ranges }

    fileprivate mutating func replace(_ places: Range<Int>, _ new: [AccountPage]) {
      pages += new
      replaced.append((places, new))
    }
  }

  private let pages: [AccountPage]
  private let ranges: [UInt16]
  /// How many accounts come before each page.
  private let starts: [Int]
  private var edits: [Edit] = []
  /// Places that are removed and not among the edits yet, last ones first.
  private var removed: [Int] = []
  /// Everybody before has been dealt with.
  private var done = 0

  /// A list without the people of some ranges.
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
    var isRemoved = [Bool](repeating: false, count: ListState.rangeCount)
    for range in changed where isRemoved.indices.contains(range) { isRemoved[range] = true }
    for place in ranges.indices.reversed() where isRemoved[Int(ranges[place])] {
      removed.append(place)
    }
  }

  /// Puts an account where it belongs; they come in order.
  mutating func insert(_ account: Account, _ range: UInt16) {
    let place = place(of: account)
    remove(before: place)
    edits.append(Edit(place: place, inserted: (account, range)))
  }

  /// The list as it is now.
  var result: Result {
    var merge = self
    merge.remove(before: ranges.count)
    return merge.merged
  }

  private mutating func remove(before place: Int) {
    while let last = removed.last, last < place {
      edits.append(Edit(place: last, inserted: nil))
      removed.removeLast()
    }
    done = place
  }

  /// The first of the old ones that comes after an account.
  private func place(of account: Account) -> Int {
    var (low, high) = (done, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if AccountList.precedes(old(middle), account) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func old(_ place: Int) -> Account {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return Account(pages[low], place - starts[low])
  }

  private var mergedRanges: [UInt16] {
    var merged: [UInt16] = []
    merged.reserveCapacity(ranges.count + edits.count)
    var next = 0
    for edit in edits {
      merged += ranges[next..<edit.place]
      next = edit.place + (edit.inserted == nil ? 1 : 0)
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
      let own = rest.prefix { $0.place < end }
      rest = rest.dropFirst(own.count)
      if own.isEmpty {
        result.pages.append(page)
      } else {
        let new = AccountPage.pages(of: stretches(of: page, from: start, own))
        result.replace(start..<start + page.entries.count, new)
      }
    }
    // Only where nobody was before.
    let first = AccountPage.pages(of: rest.compactMap(\.inserted?.account))
    if !first.isEmpty { result.replace(0..<0, first) }
    return result
  }

  private func stretches(
    of page: AccountPage, from start: Int, _ edits: ArraySlice<Edit>
  ) -> [AccountPage.Stretch] {
    var stretches: [AccountPage.Stretch] = []
    var next = 0
    for edit in edits {
      let index = edit.place - start
      stretches.append(AccountPage.Stretch(page: page, range: next..<index))
      next = index + (edit.inserted == nil ? 1 : 0)
      if let account = edit.inserted?.account {
        let range = account.index..<account.index + 1
        stretches.append(AccountPage.Stretch(page: account.page, range: range))
      }
    }
    return stretches + [AccountPage.Stretch(page: page, range: next..<page.entries.count)]
  }
}
