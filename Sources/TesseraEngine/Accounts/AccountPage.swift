// SPDX-License-Identifier: MIT
// Pages of accounts: copying a list retains one object for each page, and the JSON of a page is serialized once.

import Synchronization

/// A group of consecutive accounts of a list.
final class AccountPage: Sendable {
  /// The contents of an account.
  struct Entry: Sendable, Hashable {
    let homeAccountID: String
    let environment: String
    let username: String?
    let name: String?
    let tenantProfiles: [TenantProfile]
    let isEntra: Bool
  }

  /// A range of accounts on a page.
  struct PageSlice {
    let page: AccountPage
    let range: Range<Int>
  }

  /// The initial number of accounts on a page.
  ///
  /// A page with more than twice as many is split.
  static let size = 32

  let entries: [Entry]
  private let serialized = AtomicLazyReference<AccountDocuments>()

  /// Creates a page of accounts.
  init(_ entries: [Entry]) { self.entries = entries }

  /// Creates a page from parts of other pages.
  ///
  /// JSON that was already serialized for them is reused.
  init(_ slices: [PageSlice]) {
    entries = slices.flatMap { $0.page.entries[$0.range] }
    guard slices.contains(where: { $0.page.serialized.load() != nil }) else { return }
    var documents = AccountDocuments.Buffer()
    for stretch in slices { documents.append(stretch.page.documents, stretch.range) }
    _ = serialized.storeIfNil(AccountDocuments(documents))
  }

  /// The accounts of the page.
  var accounts: [Account] { entries.indices.map { Account(self, $0) } }

  /// The serialized accounts of the page.
  var documents: AccountDocuments {
    serialized.load() ?? serialized.storeIfNil(AccountDocuments(accounts))
  }
}

extension AccountPage {
  /// Returns accounts that are distributed over pages.
  static func accounts(of entries: [Entry]) -> [Account] {
    pages(of: entries).flatMap(\.accounts)
  }

  private static func pages(of entries: [Entry]) -> [AccountPage] {
    stride(from: 0, to: entries.count, by: size).map { start in
      AccountPage(Array(entries[start..<min(start + size, entries.count)]))
    }
  }

  /// Returns the existing pages of accounts if they contain no others; otherwise creates new pages.
  static func pages(of accounts: [Account]) -> [AccountPage] {
    var pages: [AccountPage] = []
    var next = 0
    while next < accounts.count {
      let page = accounts[next].page
      let end = next + page.entries.count
      guard end <= accounts.count,
        accounts[next..<end].enumerated().allSatisfy({ $1.page === page && $1.index == $0 })
      else { return self.pages(of: accounts.map(\.entry)) }
      pages.append(page)
      next = end
    }
    return pages
  }

  /// Returns the page of some ranges: none if they are empty, two if they exceed the size of one page.
  static func pages(of slices: [PageSlice]) -> [AccountPage] {
    let page = AccountPage(slices)
    let count = page.entries.count
    guard count > 2 * size else { return count == 0 ? [] : [page] }
    return [0..<count / 2, count / 2..<count].map {
      AccountPage([PageSlice(page: page, range: $0)])
    }
  }
}
