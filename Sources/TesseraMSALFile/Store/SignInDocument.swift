// SPDX-License-Identifier: MIT
// The record of pending sign-ins of a shared cache, stored where no other library writes.

import CLibrary
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// The location of the sign-in record of one shared cache.
///
/// Other libraries replace the whole cache, and not all of them preserve unknown members.
enum SignInDocument: Sendable {
  /// A private file in the directory of the cache file.
  case file(CacheFile, of: CacheFile)
  /// An item in the keyring, for a cache in the keyring. No secret is then stored in a file.
  case item(CacheItem)

  /// Creates the location for a cache.
  init(_ location: MSALFileLocation) {
    let file = location.file
    if case let item as CacheItem = location.document {
      self = .item(item.signInItem)
    } else {
      let own = CacheFile(file.target + SignInDocument.suffix, isRemote: file.isRemote)
      self = .file(own, of: file)
    }
  }

  /// The stored bytes and the parsed record.
  struct Content {
    /// The bytes; `nil` if nothing is stored.
    var bytes: [UInt8]?
    /// The record; `nil` if nothing is stored or the bytes are invalid.
    ///
    /// The next record replaces invalid bytes.
    var record: SignInRecord?
  }

  /// Reads the record without a lock.
  func read(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError) -> Content {
    let document: any SharedCacheDocument =
      switch self {
      case .file(let file, _): file
      case .item(let item): item
      }
    // Writers rename a complete file, so the content is never incomplete. Accept invalid bytes instead of waiting for a
    // writer.
    let content = try document.read(time, within: limits, knownDamage: nil) { bytes in
      Content(
        bytes: bytes,
        record: (try? JSONValue(parsing: bytes))?.object.flatMap { SignInRecord(members: $0) })
    }
    if case .valid(let content, _) = content { return content }
    return Content()
  }

  /// Replaces the record durably; `nil` removes it.
  ///
  /// The caller must hold the lock of this record.
  ///
  /// - Returns: `false` without storing anything if another process has changed the item since it was read.
  func write(
    _ bytes: [UInt8]?, replacing old: [UInt8]?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    switch self {
    case .file(let file, of: let cache):
      try SignInDocument.replace(file, of: cache, with: bytes)
      return true
    case .item(let item):
      // An empty item counts as missing.
      return try item.store(bytes ?? [], replacing: old, within: limits)
    }
  }

  private static func replace(
    _ file: CacheFile, of cache: CacheFile, with bytes: [UInt8]?
  ) throws(TesseraError) {
    guard let bytes else {
      guard unlink(file.target) == 0 || errno == ENOENT else { throw file.failure("remove") }
      return
    }
    // The file is named after the cache, so that the next writer of the cache removes it if this process is killed.
    let new = try TemporaryFile(for: cache.target)
    defer { new.end() }
    try new.write(bytes)
    guard rename(new.path, file.target) == 0 else { throw file.failure("replace") }
    PrivateDirectory.sync(cache.directory)
  }

  private static let suffix = ".tessera-sign-ins"
}

extension CacheItem {
  /// The item for the sign-in record of this cache.
  ///
  /// Like the locks, it is the same for every signal file of the cache.
  fileprivate var signInItem: CacheItem {
    CacheItem(
      item: KeyringItem(
        schema: "tessera.SignIns", attributes: [.init("cache", item.schema)],
        label: "Tessera: key of two-step sign-ins"),
      keyring: keyring, file: file)
  }
}
