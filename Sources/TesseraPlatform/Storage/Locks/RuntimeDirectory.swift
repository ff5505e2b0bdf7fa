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
/// A job of cron and a program of the desktop have other environments, and must find the same locks.
enum RuntimeDirectory {
  /// Where it is: what the system made at the log-in, or else a private one of our own.
  static var path: String {
    let made = "/run/user/\(geteuid())"
    var status = stat()
    let isOurs =
      lstat(made, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    return isOurs ? made : "/tmp/tessera-\(geteuid())"
  }

  /// Makes it if it is ours to make, and refuses one that is not the user's own.
  static func make(_ path: String) throws(FileProblem) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .failed(verb: "make the directory", path: path, code: errno)
    }
    try FileRules.check(path, kind: mode_t(S_IFDIR), tightens: true)
  }
}
