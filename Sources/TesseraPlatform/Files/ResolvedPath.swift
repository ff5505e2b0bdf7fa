// SPDX-License-Identifier: MIT
// Resolution of a path and a check of its parent directories, in one pass if there are no symbolic links.

import CLibrary

/// The resolved target of a path, and the permissions of its parent directories.
struct ResolvedPath: Sendable {
  /// The result of checking the parent directories of a path without symbolic links.
  private enum ParentCheck {
    case valid
    case violation(FileError)
  }

  /// The path without symbolic links, also in its last component.
  let target: String
  /// The result of the check; nil if there are symbolic links or missing components.
  private let parentCheck: ParentCheck?

  /// Resolves a path.
  init(_ path: String) {
    parentCheck = ResolvedPath.parentCheck(path)
    target = parentCheck == nil ? FileRules.resolved(path) ?? path : path
  }

  /// Throws if other users can replace the file.
  func checkParents() throws(FileError) {
    switch parentCheck {
    case .violation(let problem): throw problem
    case .valid: return
    case nil: try FileRules.checkParents(ofResolved: target)
    }
  }

  /// Checks each component of a path; nil if one is not a directory, or the last one is not a regular file.
  private static func parentCheck(_ path: String) -> ParentCheck? {
    var bytes = Array(path.utf8CString)
    guard bytes.first == slash else { return nil }
    let own = geteuid()
    var parentCheck = ParentCheck.valid
    var status = stat()
    func checkParent(_ parent: @autoclosure () -> String) {
      guard case .valid = parentCheck,
        let reason = FileRules.violation(toParent: status, own: own)
      else { return }
      parentCheck = .violation(.unsafe(path: parent(), reason: reason))
    }
    guard lstat("/", &status) == 0 else { return nil }
    checkParent("/")
    var start = 1
    for end in 1..<bytes.count where bytes[end] == slash || bytes[end] == 0 {
      // Leave empty components and those of dots to `realpath(3)`.
      guard !isEmptyOrDots(bytes[start..<end]) else { return nil }
      let isLast = bytes[end] == 0
      bytes[end] = 0
      guard lstat(bytes, &status) == 0,
        status.st_mode & mode_t(S_IFMT) == (isLast ? mode_t(S_IFREG) : mode_t(S_IFDIR))
      else { return nil }
      guard !isLast else { break }
      checkParent(String(decoding: path.utf8.prefix(end), as: UTF8.self))
      bytes[end] = slash
      start = end + 1
    }
    return parentCheck
  }

  /// Whether a component is empty or consists of dots.
  private static func isEmptyOrDots(_ part: ArraySlice<CChar>) -> Bool {
    part.allSatisfy { $0 == CChar(UInt8(ascii: ".")) }
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}
