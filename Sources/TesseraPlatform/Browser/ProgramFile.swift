// SPDX-License-Identifier: MIT
// Files that can be started, found as a shell finds them.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that can be started.
enum ProgramFile {
  /// The file of a program that is named by its path, or by its name in one of some folders; nil if it is not there.
  ///
  /// A folder that is not absolute is nobody's safe place.
  static func path(of name: String, in folders: [String]) -> String? {
    if name.hasPrefix("/") { return canBeStarted(name) ? name : nil }
    guard !name.contains("/") else { return nil }
    return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: canBeStarted)
  }

  private static func canBeStarted(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG)
  }
}
