// SPDX-License-Identifier: MIT
// Accounts that lie side by side: their copies count one reference for all, and their document is written once.

import Synchronization

/// Some accounts, side by side.
final class AccountPage: Sendable {
  /// What an account says.
  struct Entry: Sendable, Hashable {
    let homeAccountID: String
    let environment: String
    let username: String?
    let name: String?
    let tenantProfiles: [TenantProfile]
    let isEntra: Bool
  }

  /// Accounts next to each other on a page.
  struct Stretch {
    let page: AccountPage
    let range: Range<Int>
  }

  /// How many there are on a page at first; it is split when there are twice as many.
  static let size = 32

  let entries: [Entry]
  private let written = AtomicLazyReference<AccountDocuments>()

  /// A page of accounts.
  init(_ entries: [Entry]) { self.entries = entries }

  /// A page of what was on others; what is written of them already is taken over.
  init(_ stretches: [Stretch]) {
    entries = stretches.flatMap { $0.page.entries[$0.range] }
    guard stretches.contains(where: { $0.page.written.load() != nil }) else { return }
    var documents = AccountDocuments.Draft()
    for stretch in stretches { documents.append(stretch.page.documents, stretch.range) }
    _ = written.storeIfNil(AccountDocuments(documents))
  }

  /// Its accounts.
  var accounts: [Account] { entries.indices.map { Account(self, $0) } }

  /// The documents of its accounts.
  var documents: AccountDocuments {
    written.load() ?? written.storeIfNil(AccountDocuments(accounts))
  }
}

extension AccountPage {
  /// Accounts, spread over pages.
  static func accounts(of entries: [Entry]) -> [Account] {
    pages(of: entries).flatMap(\.accounts)
  }

  private static func pages(of entries: [Entry]) -> [AccountPage] {
    stride(from: 0, to: entries.count, by: size).map { start in
      AccountPage(Array(entries[start..<min(start + size, entries.count)]))
    }
  }

  /// The pages of accounts: those that they lie on, if these hold nobody else.
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

  /// The page of some stretches; none if nobody is on them, two if they are too many for one.
  static func pages(of stretches: [Stretch]) -> [AccountPage] {
    let page = AccountPage(stretches)
    let count = page.entries.count
    guard count > 2 * size else { return count == 0 ? [] : [page] }
    return [0..<count / 2, count / 2..<count].map {
      AccountPage([Stretch(page: page, range: $0)])
    }
  }
}
