// SPDX-License-Identifier: MIT
// The check that a cache file can be replaced, made before a refresh token is redeemed.

import CLibrary
import CTesseraStore
import TesseraEngine
import TesseraPlatform

extension CacheFile {
  /// The reason for which the file cannot be replaced or its lock file cannot be acquired; nil if neither is known.
  ///
  /// Nothing is created or locked.
  var obstacle: String? {
    if ctessera_is_mount_point(target) { return CacheFile.isMounted }
    return PeerLockFile.obstacle(at: lockPath)
  }

  /// Throws if a file system is mounted at the path of the file itself.
  func checkReplaceable() throws(TesseraError) {
    guard ctessera_is_mount_point(target) else { return }
    throw .readOnlyCache(path, CacheFile.isMounted)
  }

  private static let isMounted =
    "the file is a mount point and cannot be replaced. Mount its directory instead"
}

extension PeerLockFile {
  /// Returns the reason for which a lock file cannot be acquired, according to its mode and owner; nil for none.
  static func obstacle(at path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      let isUsable = faccessat(AT_FDCWD, directory + "/", W_OK | X_OK, AT_EACCESS) == 0
      return isUsable
        ? nil : "its lock \(path) cannot be created. Make the directory writable"
    }
    guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG), status.st_uid == geteuid(),
      status.st_nlink == 1
    else {
      return "its lock \(path) is not a regular file of this user. Remove \(path)"
    }
    return nil
  }
}

extension TesseraError {
  /// Returns the error for a cache file that can be read, but not replaced.
  ///
  /// A refresh token must not be redeemed, because its successor would be lost.
  static func readOnlyCache(_ path: String, _ reason: String) -> TesseraError {
    TesseraError(
      .fixStorage, .storeReadOnly,
      "\(path) cannot be written: \(reason). Cached tokens are still returned. No refresh token was redeemed."
    )
  }

  /// Returns this error as ``readOnlyCache(_:_:)`` if the file cannot be opened or locked, because the cache is still readable.
  func asReadOnlyCache(_ path: String) -> TesseraError {
    guard code == .storeUnavailable else { return self }
    return TesseraError.readOnlyCache(path, message.trimmingSuffix(".")).caused(by: self)
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: Character) -> String {
    last == suffix ? String(dropLast()) : self
  }
}
