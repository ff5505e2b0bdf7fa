// SPDX-License-Identifier: MIT
// The location of a cache, with the check that each cache hit performs.

import CLibrary
import CTesseraStore
import TesseraCache
import TesseraEngine
import TesseraPlatform

/// The location of a cache, determined once.
final class MSALFileLocation: @unchecked Sendable {
  /// The file, or the item with its signal file.
  let documentLocation: DocumentLocation
  /// Whether the file is on a network file system: cached attributes may be stale, and locks may be local to this machine.
  let isRemote: Bool
  // A C string, because each cache hit uses it and must not change a reference count.
  private let text: UnsafeMutablePointer<CChar>?
  private let keyring: any Keyring

  init(_ location: DocumentLocation, _ keyring: any Keyring) {
    documentLocation = location
    self.keyring = keyring
    isRemote = ctessera_is_remote(location.signal)
    text = strdup(location.signal)
  }

  /// The unresolved path of the file.
  var path: String { documentLocation.signal }

  /// The file, with the current targets of symbolic links.
  var file: CacheFile { CacheFile(path, isRemote: isRemote) }

  /// The cache document.
  var document: any SharedCacheDocument {
    guard let item = documentLocation.item else { return file }
    return CacheItem(item: item, keyring: keyring, file: file)
  }

  /// Returns the lock files among Tessera processes.
  ///
  /// Those of an item do not depend on the signal file.
  func lockFiles() throws(TesseraError) -> LockFiles {
    try file.lockFiles(named: documentLocation.item?.schema)
  }

  deinit {
    free(text)
  }

  /// Whether the file still has the state of a snapshot.
  func isCurrent(_ version: StoreVersion) -> Bool {
    guard let text, !isRemote else { return false }
    return CacheStamp(at: text)?.matches(version) ?? false
  }
}

extension CacheFile {
  /// Returns the lock files among Tessera processes, in the user's runtime directory on this machine.
  ///
  /// Their names contain the inode number of the directory and the name of the file, so all paths to the file share the locks.
  ///
  /// - Parameter other: A name that replaces the file name.
  func lockFiles(named other: String? = nil) throws(TesseraError) -> LockFiles {
    let runtime = RuntimeDirectory.path
    do throws(FileError) {
      try RuntimeDirectory.make(runtime)
    } catch {
      throw TesseraError(error, setting: "store.msal_cache")
    }
    guard let number = PersistentFileID(at: directory)?.number else { throw failure("examine") }
    let name = other ?? self.name
    let short = name.utf8.count > 150 ? "\(RecordKey.number(of: name))" : name
    let start = "\(runtime)/tessera-msal-\(number)-\(short)"
    return LockFiles(locks: start + ".lock", threadLocks: start + ".turn")
  }
}
