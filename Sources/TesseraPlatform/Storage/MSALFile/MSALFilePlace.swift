// SPDX-License-Identifier: MIT
// Where a cache is, for the one question that every hit asks.

import CTesseraStore
import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The place of a cache, found once.
final class MSALFilePlace: @unchecked Sendable {
  /// The file, or the item for which a file is touched.
  let place: DocumentPlace
  /// Whether it lies on another machine: what the system says of it may be old, and its locks may hold here only.
  let isRemote: Bool
  // A plain C string, because every hit passes here and must not touch a reference count.
  private let text: UnsafeMutablePointer<CChar>?
  private let keyring: any Keyring

  init(_ place: DocumentPlace, _ keyring: any Keyring) {
    self.place = place
    self.keyring = keyring
    isRemote = ctessera_is_remote(place.signal)
    text = strdup(place.signal)
  }

  /// The path by which programs know the file.
  var path: String { place.signal }

  /// The file, wherever links lead now.
  var file: CacheFile { CacheFile(path, isRemote: isRemote) }

  /// The cache itself.
  var document: any CacheDocument {
    guard let item = place.item else { return file }
    return CacheItem(item: item, keyring: keyring, file: file)
  }

  /// The locks among Tessera's own programs: those of an item are the same whatever file is touched for it.
  func lockFiles() throws(TesseraError) -> LockFiles {
    try file.lockFiles(named: place.item?.schema)
  }

  deinit {
    free(text)
  }

  /// Whether the file is as a snapshot saw it.
  func isCurrent(_ version: StoreVersion) -> Bool {
    guard let text, !isRemote else { return false }
    return CacheStamp(at: text)?.matches(version) ?? false
  }
}

extension CacheFile {
  /// The locks among Tessera's own programs, in the user's directory on this machine: none of them lies beside the file.
  ///
  /// They are named after the directory's number and the file's name, so that every path to the file leads to them.
  ///
  /// - Parameter other: a name in place of the file's.
  func lockFiles(named other: String? = nil) throws(TesseraError) -> LockFiles {
    let runtime = RuntimeDirectory.path
    do throws(FileProblem) {
      try RuntimeDirectory.make(runtime)
    } catch {
      throw StoreLocation.error(error, setting: "msal_cache")
    }
    guard let number = FileStamp(at: directory)?.number else { throw failure("look at") }
    let name = other ?? self.name
    let short = name.utf8.count > 150 ? "\(RecordKey.number(of: name))" : name
    let start = "\(runtime)/tessera-msal-\(number)-\(short)"
    return LockFiles(locks: start + ".lock", turns: start + ".turn")
  }
}
