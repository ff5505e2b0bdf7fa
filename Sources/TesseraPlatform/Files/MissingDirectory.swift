// SPDX-License-Identifier: MIT
// Predicts whether a missing file could be created, without creating anything.

import CLibrary
import TesseraEngine

/// The nearest existing directory above a file that does not exist yet.
struct MissingDirectory {
  /// The nearest path above the file that exists.
  let nearest: String
  /// The error of writing to it (`errno`); 0 if a file or directory can be created there.
  let code: Int32

  /// Finds the nearest existing path, starting at the directory of the file.
  init(_ directory: String) {
    var path = directory
    while faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) != 0, errno == ENOENT || errno == ENOTDIR,
      let slash = path.lastIndex(of: "/"), path != "/"
    {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    nearest = path
    var status = stat()
    if stat(path, &status) != 0 {
      code = errno
    } else if status.st_mode & mode_t(S_IFMT) != mode_t(S_IFDIR) {
      code = ENOTDIR
    } else {
      code = faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno
    }
  }

  /// Returns the error of a store that cannot be created there; nil if it can.
  ///
  /// - Parameters:
  ///   - file: The file of the store.
  ///   - setting: The option that chooses another location.
  func problem(creating file: String, setting: String) -> TesseraError? {
    guard code != 0 else { return nil }
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(file) cannot be created: \(nearest) \(reason). Correct its permissions or choose another \(setting).
      """
    ).caused(by: .system(code))
  }

  private var reason: String {
    switch code {
    case EROFS: "is on a read-only file system"
    case EACCES, EPERM: "is read-only for this user"
    default: "cannot be used: \(String(cString: strerror(code)))"
    }
  }
}
