// SPDX-License-Identifier: MIT
// A search for executable files, as a shell does it.

import CLibrary

/// A search for executable files.
enum ExecutableSearch {
  /// Returns the path of a program, given its absolute path, or its name in one of the folders; nil if it is not found.
  ///
  /// Relative folders are skipped, because their content depends on the current directory.
  static func path(of name: String, in folders: [String]) -> String? {
    if name.hasPrefix("/") { return isExecutable(name) ? name : nil }
    guard !name.contains("/") else { return nil }
    return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG)
  }
}
