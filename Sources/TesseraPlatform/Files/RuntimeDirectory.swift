// SPDX-License-Identifier: MIT
// A directory on this machine for the lock files of a store on another machine.

import CLibrary

/// The directory for locks between the user's processes on this machine, which depends only on the user ID.
///
/// A cron job and a desktop application have different environments, but must find the same locks. So must processes
/// that start before login or continue after logout. `/run/user/UID` exists only during sessions, so temporary
/// directories are preferred.
enum RuntimeDirectory {
  /// The possible paths, in order of preference.
  ///
  /// Other users cannot create the last one, but it does not always exist.
  static var candidates: [String] {
    let user = geteuid()
    return ["/tmp/tessera-\(user)", "/var/tmp/tessera-\(user)", "/run/user/\(user)"]
  }

  /// The selected path.
  static var path: String { path(among: candidates) }

  /// Returns the first path that is owned by the user or can be created.
  ///
  /// Skips directories of other users.
  ///
  /// The result depends on the files only. The parent directories allow only the owner of an entry to remove it.
  static func path(among candidates: [String]) -> String {
    let found = candidates.first { path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return errno == ENOENT && isUsable(parentOf: path) }
      return status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) && status.st_uid == geteuid()
    }
    return found ?? candidates.first ?? "/tmp"
  }

  /// Creates the directory if it is missing, and rejects one that fails the checks of ``FileRules``.
  static func make(_ path: String) throws(FileError) {
    let problem = PrivateDirectory.create(path)
    guard problem == 0 || problem == EEXIST else {
      throw .failed(verb: "create the directory", path: path, code: problem)
    }
    try FileRules.check(path, kind: mode_t(S_IFDIR), tightens: true)
  }

  private static func isUsable(parentOf path: String) -> Bool {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return faccessat(AT_FDCWD, parent, W_OK | X_OK, AT_EACCESS) == 0
  }
}
