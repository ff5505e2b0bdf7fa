// SPDX-License-Identifier: MIT
// The file in which a cache lies that other libraries write as well: where it is, and how it is read.

import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A cache file, at one moment of looking where its path leads.
struct CacheFile: Sendable {
  /// The path by which programs know it.
  let path: String
  /// Where that leads.
  private let route: FileRoute
  /// Whether it lies on another machine: what the system remembers of it may be old.
  let isRemote: Bool

  init(_ path: String, isRemote: Bool = false) {
    self.path = path
    self.isRemote = isRemote
    route = FileRoute(path)
  }

  /// Where the path leads; the last part is no link.
  var target: String { route.target }

  /// The directory of the file.
  var directory: String {
    target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
  }

  /// The file's own name.
  var name: String {
    String(target[target.index(after: target.lastIndex(of: "/") ?? target.startIndex)...])
  }

  /// The lock file of all libraries; they name it after the path that they were given, wherever that leads.
  var lockPath: String { path + ".lockfile" }

  /// The state in which the file is; nil if there is none, or if the system does not tell.
  ///
  /// A file system of another machine asks that one when a file is opened.
  var stamp: CacheStamp? {
    guard isRemote else { return CacheStamp(at: target) }
    let descriptor = openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return CacheStamp(of: descriptor)
  }

  /// Refuses what is longer than any cache: it is neither read nor written, nor taken for damage.
  func checkLength(_ size: Int64) throws(TesseraError) {
    guard size > UnifiedCache.mostBytes else { return }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(path) has \(size) bytes, and a token cache of more than \(UnifiedCache.mostBytes) bytes is not used. Nothing was \
      changed. Choose another msal_cache, or see what made it so long and remove the file.
      """)
  }

  /// Refuses a file that is not the user's own, or lies where others can put another one in its place.
  func checkSafety() throws(TesseraError) {
    do throws(FileProblem) {
      try route.checkParents()
      try FileRules.check(target, kind: mode_t(S_IFREG), tightens: false)
    } catch {
      throw StoreLocation.error(error, setting: "msal_cache")
    }
  }

  /// Makes the directory and what is missing above it, private from the first moment.
  func makeDirectory() throws(TesseraError) {
    do throws(FileProblem) {
      try PrivateDirectory.make(directory)
    } catch {
      throw StoreLocation.error(error, setting: "msal_cache")
    }
  }

  /// What one look at the file gave.
  enum Look {
    /// There is none.
    case missing
    /// All of it, as it was at one moment.
    case content([UInt8], CacheStamp)
    /// Somebody changed it meanwhile.
    case moving
  }

  /// Reads the file once.
  func look() throws(TesseraError) -> Look {
    let descriptor = openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      try checkSafety()
      if code == ENOENT { return .missing }
      throw StoreLocation.failure("open", target, code, setting: "msal_cache")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("look at") }
    try checkSafety(of: status)
    let before = CacheStamp(status)
    let bytes = try content(descriptor, size: before.size)
    // Whoever has written meanwhile has changed its times, or put another file in its place; that one counts.
    guard before == stamp, bytes.count == Int(before.size) else { return .moving }
    return .content(bytes, before)
  }

  /// The same as ``checkSafety()``, for the file that was opened.
  private func checkSafety(of status: stat) throws(TesseraError) {
    do throws(FileProblem) {
      try route.checkParents()
      if let reason = FileRules.objection(to: status, kind: mode_t(S_IFREG)) {
        throw .unsafe(path: target, reason: reason)
      }
    } catch {
      throw StoreLocation.error(error, setting: "msal_cache")
    }
  }

  private func content(_ descriptor: Int32, size: Int64) throws(TesseraError) -> [UInt8] {
    try checkLength(size)
    // One byte more, so that a file that grows is noticed.
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
      throw StoreLocation.failure("read", target, code, setting: "msal_cache")
    }
    return bytes
  }

  /// What the system said about the file just now.
  func failure(_ verb: String) -> TesseraError {
    StoreLocation.failure(verb, target, errno, setting: "msal_cache")
  }
}
