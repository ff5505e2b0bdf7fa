// SPDX-License-Identifier: MIT
// A directory of the user's on this machine, for the locks of a store that lies on another one.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where a user's programs meet on this machine: found by the user's number, and by nothing else.
///
/// A job of cron and a program of the desktop have other environments, and must find the same locks. So must two programs
/// of which one began before the user logged in, or goes on after the log-out: `/run/user/UID` comes and goes with the
/// sessions, the directories for temporary files do not.
enum RuntimeDirectory {
  /// Where it may be, in the order in which everybody looks: the last one, which nobody else can take, is not there always.
  static var candidates: [String] {
    let user = geteuid()
    return ["/tmp/tessera-\(user)", "/var/tmp/tessera-\(user)", "/run/user/\(user)"]
  }

  /// Where it is.
  static var path: String { path(among: candidates) }

  /// The first one that is ours, or is still to be made; one that somebody else has put there is passed over.
  ///
  /// It depends on nothing but the files: who owns one of these directories cannot lose it, since they lie in directories
  /// in which only the owner removes something.
  static func path(among candidates: [String]) -> String {
    let found = candidates.first { path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return errno == ENOENT && isUsable(parentOf: path) }
      return status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) && status.st_uid == geteuid()
    }
    return found ?? candidates.first ?? "/tmp"
  }

  /// Makes it if it is ours to make, and refuses one that is not the user's own.
  static func make(_ path: String) throws(FileProblem) {
    let problem = PrivateDirectory.create(path)
    guard problem == 0 || problem == EEXIST else {
      throw .failed(verb: "make the directory", path: path, code: problem)
    }
    try FileRules.check(path, kind: mode_t(S_IFDIR), tightens: true)
  }

  private static func isUsable(parentOf path: String) -> Bool {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return faccessat(AT_FDCWD, parent, W_OK | X_OK, AT_EACCESS) == 0
  }
}
