// SPDX-License-Identifier: MIT
// The location of a cache file that is shared with other libraries, and consistent reads of it.

import CLibrary
import TesseraCache
import TesseraEngine
import TesseraPlatform

/// A cache file.
///
/// Symbolic links in its path are resolved once, at its creation.
struct CacheFile: Sendable {
  /// The path that was configured or is defined by the owner of the cache.
  let path: String
  /// The resolved path.
  private let resolvedPath: ResolvedPath
  /// Whether the file is on a network file system, so that cached attributes may be stale.
  let isRemote: Bool

  init(_ path: String, isRemote: Bool = false) {
    self.path = path
    self.isRemote = isRemote
    resolvedPath = ResolvedPath(path)
  }

  /// The resolved path.
  ///
  /// Its last component is not a link.
  var target: String { resolvedPath.target }

  /// The directory of the file.
  var directory: String {
    target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
  }

  /// The file name.
  var name: String {
    String(target[target.index(after: target.lastIndex(of: "/") ?? target.startIndex)...])
  }

  /// The path of the lock file.
  ///
  /// All libraries derive it from the unresolved path.
  var lockPath: String { path + ".lockfile" }

  /// The state of the file; nil if it does not exist or cannot be queried.
  ///
  /// A network file system is queried by opening the file, which makes it revalidate cached attributes.
  var stamp: CacheStamp? {
    guard isRemote else { return CacheStamp(at: target) }
    let descriptor = openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return CacheStamp(of: descriptor)
  }

  /// Throws for a file that is larger than any cache.
  ///
  /// Such a file is not read, written or quarantined.
  func checkLength(_ size: Int64) throws(TesseraError) {
    guard size > UnifiedCache.maximumByteCount else { return }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(path) has \(size) bytes. The maximum size of a token cache is \(UnifiedCache.maximumByteCount) bytes. Nothing was \
      changed. Choose another store.msal_cache, or remove the file after you find out why it is so large.
      """)
  }

  /// Throws for a file that is owned by another user, or can be replaced by other users.
  func checkSafety() throws(TesseraError) {
    do throws(FileError) {
      try resolvedPath.checkParents()
      try FileRules.checkFile(target)
    } catch {
      throw TesseraError(error, setting: "store.msal_cache")
    }
  }

  /// Creates the directory and its missing parents, accessible by the user only.
  func makeDirectory() throws(TesseraError) {
    do throws(FileError) {
      try PrivateDirectory.make(directory)
    } catch {
      throw TesseraError(error, setting: "store.msal_cache")
    }
  }

  /// The result of one read of the file.
  enum ReadResult {
    /// The file does not exist.
    case missing
    /// The complete content, consistent with the stamp.
    case content([UInt8], CacheStamp)
    /// The file changed during the read.
    case changing
  }

  /// Reads the file once.
  func readOnce() throws(TesseraError) -> ReadResult {
    let descriptor = openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      try checkSafety()
      if code == ENOENT { return .missing }
      throw .failed("open", target, code, setting: "store.msal_cache")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("examine") }
    try checkSafety(of: status)
    let before = CacheStamp(status)
    let bytes = try content(descriptor, size: before.size)
    // A write during the read changed the times of the file or replaced the file. The new content must be read instead.
    guard before == stamp, bytes.count == Int(before.size) else { return .changing }
    return .content(bytes, before)
  }

  /// Checks the opened file like ``checkSafety()``.
  private func checkSafety(of status: stat) throws(TesseraError) {
    do throws(FileError) {
      try resolvedPath.checkParents()
      if let reason = FileRules.violation(toFile: status) {
        throw .unsafe(path: target, reason: reason)
      }
    } catch {
      throw TesseraError(error, setting: "store.msal_cache")
    }
  }

  private func content(_ descriptor: Int32, size: Int64) throws(TesseraError) -> [UInt8] {
    try checkLength(size)
    // Reserve one more byte, to notice that the file has grown.
    let (size, capacity) = (Int(size), Int(size) + 1)
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < size {
        let part = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, capacity - count, off_t(count))
        if part > 0 {
          count += part
        } else if part == 0 {
          return
        } else if errno != EINTR {
          code = errno
          return
        }
      }
    }
    guard code == 0 else {
      throw .failed("read", target, code, setting: "store.msal_cache")
    }
    return bytes
  }

  /// Returns the error for the current `errno` of an operation on the file.
  func failure(_ verb: String) -> TesseraError {
    .failed(verb, target, errno, setting: "store.msal_cache")
  }
}
