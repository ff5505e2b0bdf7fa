// SPDX-License-Identifier: MIT
// A cache document in a keyring item, with a signal file that is touched at each change.

import CLibrary
import TesseraEngine
import TesseraPlatform

/// A keyring item that contains a cache, with the signal file that indicates its last change.
///
/// The Secret Service replaces a secret atomically, even if the writing process is killed.
struct CacheItem: SharedCacheDocument {
  /// The maximum size of a document in bytes.
  ///
  /// Its base64 encoding fills the largest array that D-Bus can transfer.
  static let maximumByteCount = 3 << 24

  let item: KeyringItem
  let keyring: any Keyring
  let file: CacheFile

  /// An item has no quarantined copies.
  ///
  /// Those in the directory belong to plain files.
  var quarantinedNames: [String] { [] }

  /// The state of an item without a signal file differs from that of any file.
  var stamp: CacheStamp? { file.stamp ?? .untouched }

  /// A writer that is killed between changing the item and touching its file leaves the stamp unchanged.
  ///
  /// The stamp is not trusted at all if an item has several signal files.
  var stampLifetime: UInt64 { item.hasOneSignal ? 2_000_000_000 : 0 }

  /// The mode of the signal file does not matter, because it is empty.
  ///
  /// Other libraries create it according to the umask.
  func checkSafety() throws(TesseraError) {
    do throws(FileError) {
      try FileRules.checkParents(ofResolved: file.target)
    } catch {
      throw TesseraError(error, setting: "store.msal_cache")
    }
  }

  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp? = nil,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> CacheFile.Content<Document> {
    // Read the stamp before the item, because writers touch the file after the item.
    let stamp = file.stamp ?? .untouched
    let contents = try callKeyring { () throws(KeyFailure) in
      try keyring.content(of: item, within: limits)
    }
    // All libraries treat an empty secret as no cache.
    guard let text = contents?.text, !text.isEmpty else { return .missing }
    guard let document = parse(text) else { return .damaged(text, stamp) }
    return .valid(document, stamp)
  }

  func write(
    _ bytes: [UInt8], replacing seen: DocumentState?, under lock: PeerLock,
    within limits: CallLimits
  ) throws(TesseraError) -> CacheStamp? {
    try checkLength(bytes.count)
    // Open the file before the item changes, so that a full disk is noticed first.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = openFile(file.target, flags, mode: 0o600)
    guard descriptor >= 0 else { throw file.failure("open") }
    defer { close(descriptor) }
    return try lock.withLock(within: limits) { lock throws(TesseraError) in
      guard lock.isCurrent else { return nil }
      // If the process is killed after the next step, other processes still notice the change: they read again until that
      // future time.
      CacheFile.setFutureTime(descriptor)
      guard try store(bytes, replacing: seen?.bytes, within: limits) else { return nil }
      CacheFile.setFutureTime(descriptor)
      guard let stamp = CacheStamp(of: descriptor) else { throw file.failure("examine") }
      return stamp
    }
  }

  /// Stores a text in the item, without touching the signal file.
  ///
  /// - Returns: Whether the text was stored. False if the item does not contain the expected text.
  func store(
    _ bytes: [UInt8], replacing expected: [UInt8]?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    try callKeyring { () throws(KeyFailure) in
      try keyring.store(bytes, in: item, replacing: expected, within: limits)
    }
  }

  func checkWritable(additionalBytes: Int, within limits: CallLimits) throws(TesseraError) {
    let path = access(file.target, F_OK) == 0 ? file.target : file.directory
    guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw file.failure("open") }
    try callKeyring { () throws(KeyFailure) in
      try keyring.checkAvailability(for: item, within: limits)
    }
  }

  /// Always throws, because the item may belong to something else: Azure CLI has stored service principals under the same name.
  func quarantine(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String {
    throw damaged("its content cannot be parsed")
  }

  func damaged(_ reason: String) -> TesseraError {
    let description = item.searchAttributes.map { "\($0.name) = \($0.value)" }.joined(
      separator: ", ")
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      The keyring item with \(description) is not a token cache: \(reason). It may contain other data of its owner, so it is \
      neither used nor overwritten. Remove it if it is not needed, or choose another store.msal_cache.
      """)
  }

  private func checkLength(_ count: Int) throws(TesseraError) {
    guard count > CacheItem.maximumByteCount else { return }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      """
      The cache of \(file.path) would have \(count) bytes. The maximum for a keyring item is \(CacheItem.maximumByteCount) bytes. \
      Nothing was changed. Sign out accounts, set store.limit_megabytes, or choose another store.msal_cache.
      """)
  }

  /// Calls the keyring and converts its failure to an error with a remedy.
  private func callKeyring<Value>(
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
  /// The state of an item without a signal file.
  fileprivate static let untouched = CacheStamp(stat())
}
