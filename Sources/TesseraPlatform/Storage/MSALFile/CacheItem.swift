// SPDX-License-Identifier: MIT
// A cache that lies in an item of the keyring, for which a file is touched.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The item in which a cache lies, with the file that says when it changed.
///
/// The service puts a secret in place as a whole: nobody sees half of one, whoever is killed.
struct CacheItem: CacheDocument {
  /// More than any cache: as base64 that is as much as D-Bus carries in one array.
  static let mostBytes = 3 << 24

  let item: KeyringItem
  let keyring: any Keyring
  let file: CacheFile

  /// Copies of plain files say nothing about an item.
  var asideNames: [String] { [] }

  /// An item whose file was never touched has a state that no file has.
  var stamp: CacheStamp? { file.stamp ?? .untouched }

  /// Whoever is killed between the item and its file leaves it as it was; of an item with several files one says little.
  var trust: UInt64 { item.hasOneSignal ? 2_000_000_000 : 0 }

  /// The file holds nothing, so that its mode does not matter: other libraries make it as the umask has it.
  func checkSafety() throws(TesseraError) {
    do throws(FileProblem) {
      try FileRules.checkParents(ofResolved: file.target)
    } catch {
      throw StoreLocation.error(error, setting: "msal_cache")
    }
  }

  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp? = nil,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> CacheFile.Content<Document> {
    // Before the item is read: whoever writes it touches the file afterwards.
    let stamp = file.stamp ?? .untouched
    let contents = try asked { () throws(KeyFailure) in try keyring.found(item, within: limits) }
    // Nobody takes an empty secret for more than nothing.
    guard let text = contents?.text, !text.isEmpty else { return .missing }
    guard let document = parse(text) else { return .damaged(text, stamp) }
    return .sound(document, stamp)
  }

  func write(
    _ bytes: [UInt8], replacing seen: SeenCache?, under lock: PeerLockFile,
    within limits: CallLimits
  ) throws(TesseraError) -> CacheStamp? {
    try checkLength(bytes.count)
    // Before the item, so that a full disk is noticed while nothing has changed.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = openFile(file.target, flags, mode: 0o600)
    guard descriptor >= 0 else { throw file.failure("open") }
    defer { close(descriptor) }
    guard lock.isCurrent else { return nil }
    // Who is killed after the next step has been noticed as well: for as long as the time is ahead, others read again.
    CacheFile.setAhead(descriptor)
    let isStored = try asked { () throws(KeyFailure) in
      try keyring.store(bytes, in: item, replacing: seen?.bytes, within: limits)
    }
    guard isStored else { return nil }
    CacheFile.setAhead(descriptor)
    guard let stamp = CacheStamp(of: descriptor) else { throw file.failure("look at") }
    return stamp
  }

  func prove(room: Int, within limits: CallLimits) throws(TesseraError) {
    let place = access(file.target, F_OK) == 0 ? file.target : file.directory
    guard faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) == 0 else { throw file.failure("open") }
    try asked { () throws(KeyFailure) in try keyring.look(for: item, within: limits) }
  }

  /// Never: Azure CLI has kept its service principals under the name of its tokens.
  func setAside(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String {
    throw damaged("it was not set aside")
  }

  func damaged(_ reason: String) -> TesseraError {
    let words = item.searched.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      The item of the keyring with \(words) is no token cache: \(reason). It may hold something else that its owner needs, \
      so it is neither read nor written over. Remove it if nobody needs it, or choose another msal_cache.
      """)
  }

  private func checkLength(_ count: Int) throws(TesseraError) {
    guard count > CacheItem.mostBytes else { return }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      """
      The cache of \(file.path) would have \(count) bytes, and an item of the keyring takes \(CacheItem.mostBytes). Nothing \
      was changed. Sign out of what nobody needs, set store_limit_megabytes, or choose another msal_cache.
      """)
  }

  /// Asks the keyring; what it says against it gets advice.
  private func asked<Value>(
    _ body: () throws(KeyFailure) -> Value
  ) throws(TesseraError) -> Value {
    do throws(KeyFailure) {
      return try body()
    } catch {
      switch error {
      case .ended(let error): throw error
      case .refused(let problem, let reason):
        let attempt = KeyAttempt(source: .secretService, problem: problem, reason: reason)
        throw .keyringUnavailable(attempt, signal: file.path)
      }
    }
  }
}

extension CacheStamp {
  /// The state of an item whose file is not there.
  fileprivate static let untouched = CacheStamp(stat())
}
