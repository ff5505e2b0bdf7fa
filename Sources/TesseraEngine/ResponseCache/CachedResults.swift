// SPDX-License-Identifier: MIT
// The cached results of an application, and their validity.

package import TesseraCache
package import TesseraWire

/// A result of the silent flow, with its validity for the cache.
package struct SilentResult: Sendable {
  /// The result.
  package var result: TokenResult
  /// The validity of the result; `nil` if it must not be cached.
  ///
  /// A time before the interval means that the clock was set back.
  package var validity: ResponseValidity?

  /// Creates a result.
  package init(result: TokenResult, validity: ResponseValidity?) {
    self.result = result
    self.validity = validity
  }
}

/// The results of silent calls by request, and the list of accounts, in the response cache of an application.
package final class CachedResults: Sendable {
  /// The approximate size of a result without its token texts, in bytes.
  private static let resultSize = 1024
  /// The approximate size of an account, in bytes.
  ///
  /// The list of accounts is an entry like others.
  private static let accountSize = 512

  /// The response cache, which is freed with this object.
  let responses = ResponseCache()
  /// The list of accounts that was read last, whether or not it is current.
  private let latest = SpinLock<CachedAccountList?>(nil)
  private let cache: CredentialCache
  private let time: any TimeSource

  /// Creates an empty cache of results from a credential cache.
  init(_ cache: CredentialCache, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  deinit {
    responses.free()
  }

  /// Returns the cached result of a request.
  ///
  /// A stale entry is revalidated. Returns `nil` on a cache miss.
  func result(for request: SilentRequest) -> TokenResult? {
    guard CachedResults.isCacheable(request) else { return nil }
    let content: AnyObject? = request.withCacheKey { key in
      let reading = time.reading
      return responses.object(for: key, at: reading, isCurrent: isCurrent)
        ?? (responses.revalidate(for: key, at: reading, cache.revalidated)
          ? responses.object(for: key, at: reading) { _ in true } : nil)
    }
    return (content as? TokenResult.Content).map(TokenResult.init)
  }

  /// Caches a result.
  ///
  /// Does nothing if the result or the request must not be cached.
  func store(_ result: SilentResult, for request: SilentRequest) {
    guard let validity = result.validity, CachedResults.isCacheable(request) else { return }
    let texts = result.result.accessToken.utf8Count + (result.result.idToken?.utf8Count ?? 0)
    request.withCacheKey { key in
      responses.store(
        (result.result.content, size: texts + CachedResults.resultSize), validity,
        for: key, at: time.reading, isRetained: cache.isRetained)
    }
  }

  /// The cached list of accounts; `nil` if there is none or a commit has changed it.
  var accounts: CachedAccountList? {
    CachedResults.withAccountsKey { key in
      responses.object(for: key, at: .always, isCurrent: isCurrent)
    } as? CachedAccountList
  }

  /// The list of accounts that was read last, as the base of an incremental update; `nil` for none.
  var previousAccountList: CachedAccountList? { latest.withLock { $0 } }

  /// Caches the list of accounts.
  ///
  /// Does nothing if the list has no version.
  func store(_ list: CachedAccountList) {
    guard let version = list.version else { return }
    latest.withLock { $0 = list }
    CachedResults.withAccountsKey { key in
      responses.store(
        (list, size: list.count * CachedResults.accountSize), ResponseValidity(version),
        for: key, at: time.reading, isRetained: cache.isRetained)
    }
  }

  /// Whether the result of a request may be cached.
  package static func isCacheable(_ request: SilentRequest) -> Bool {
    !request.forcesRefresh && request.claims == nil && !request.isForApplication
  }

  private func isCurrent(_ version: StoreVersion) -> Bool { cache.isCurrent(version) }

  /// The key of the list of accounts.
  ///
  /// It differs from the key of every request, which has at most one authority.
  private static func withAccountsKey<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    withUnsafeBytes(
      of: (KeySeparator.authority.rawValue, KeySeparator.authority.rawValue), body)
  }
}

/// The separators between the parts of a key.
///
/// These bytes do not occur in UTF-8.
private enum KeySeparator: UInt8 {
  case account = 0xFC
  case scope = 0xFE
  case authority = 0xFF
  case environment = 0xFD
}

extension SilentRequest {
  /// Calls `body` with the cache key of the request, which is valid only during the call.
  fileprivate func withCacheKey<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    var size = 1 + homeAccountID.utf8.count + 1 + (authority?.utf8.count ?? 0)
    for scope in scopes { size += scope.utf8.count + 1 }
    if let environment { size += environment.utf8.count + 1 }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
      memory[0] = KeySeparator.account.rawValue
      var end = SilentRequest.append(homeAccountID, to: memory, at: 1)
      for scope in scopes {
        memory[end] = KeySeparator.scope.rawValue
        end = SilentRequest.append(scope, to: memory, at: end + 1)
      }
      if let authority {
        memory[end] = KeySeparator.authority.rawValue
        end = SilentRequest.append(authority, to: memory, at: end + 1)
      }
      if let environment {
        memory[end] = KeySeparator.environment.rawValue
        end = SilentRequest.append(environment, to: memory, at: end + 1)
      }
      return body(UnsafeRawBufferPointer(rebasing: memory[..<end]))
    }
  }

  @inline(__always)
  private static func append(
    _ text: String, to memory: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let target = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count])
      target.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return start + bytes.count
    }
  }
}

extension ClockReading {
  /// A time at which entries without time limits are valid.
  static let always = ClockReading(now: .distantPast, monotonicNanoseconds: 0)
}

/// The validity of a cached response: a store version and a time interval.
package struct ResponseValidity: Sendable {
  package let version: StoreVersion
  package let usableFrom: Instant
  package let usableUntil: Instant
  /// The end on the monotonic clock, so that setting back the wall clock does not revive an expired token.
  package let monotonicUntil: UInt64

  /// Creates the validity for a store version and a time interval.
  package init(
    _ version: StoreVersion, from usableFrom: Instant = .distantPast,
    until usableUntil: Instant = .distantFuture, monotonicUntil: UInt64 = .max
  ) {
    self.version = version
    self.usableFrom = usableFrom
    self.usableUntil = usableUntil
    self.monotonicUntil = monotonicUntil
  }

  /// Returns the validity for another store version, in which the records of the response are unchanged.
  func revalidated(_ version: StoreVersion) -> ResponseValidity {
    ResponseValidity(
      version, from: usableFrom, until: usableUntil, monotonicUntil: monotonicUntil)
  }

  /// Whether a time is within the interval.
  @inline(__always)
  func lasts(at time: ClockReading) -> Bool {
    usableFrom <= time.now && time.now < usableUntil && time.monotonicNanoseconds < monotonicUntil
  }

  /// Whether the interval has ended.
  func isOver(at time: ClockReading) -> Bool {
    time.now >= usableUntil || time.monotonicNanoseconds >= monotonicUntil
  }
}

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
