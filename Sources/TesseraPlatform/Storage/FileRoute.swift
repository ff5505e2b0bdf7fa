// SPDX-License-Identifier: MIT
// Where a path leads, and whether others can put another file there: told in one pass where there are no links.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where a path leads, at one moment of looking.
struct FileRoute: Sendable {
  /// What speaks against the directories above a path without links.
  private enum Verdict {
    case nothing
    case objection(FileProblem)
  }

  /// The path without links; its last part is none either.
  let target: String
  /// What was found on the way; nil where there are links, or where something is not there yet.
  private let verdict: Verdict?

  /// Follows a path.
  init(_ path: String) {
    verdict = FileRoute.verdict(path)
    target = verdict == nil ? FileRules.resolved(path) ?? path : path
  }

  /// Throws where others can put another file in the place of this one.
  func checkParents() throws(FileProblem) {
    switch verdict {
    case .objection(let problem): throw problem
    case .nothing: return
    case nil: try FileRules.checkParents(ofResolved: target)
    }
  }

  /// Looks at each part of a path; nil if one of them is no directory, or the last one no file.
  private static func verdict(_ path: String) -> Verdict? {
    var bytes = Array(path.utf8CString)
    guard bytes.first == slash else { return nil }
    let own = geteuid()
    var verdict = Verdict.nothing
    var status = stat()
    func meet(_ parent: @autoclosure () -> String) {
      guard case .nothing = verdict,
        let reason = FileRules.objection(toParent: status, own: own)
      else { return }
      verdict = .objection(.unsafe(path: parent(), reason: reason))
    }
    guard lstat("/", &status) == 0 else { return nil }
    meet("/")
    var start = 1
    for end in 1..<bytes.count where bytes[end] == slash || bytes[end] == 0 {
      // What leads up, or nowhere, is for the system to take apart.
      guard !isOdd(bytes[start..<end]) else { return nil }
      let isLast = bytes[end] == 0
      bytes[end] = 0
      guard lstat(bytes, &status) == 0,
        status.st_mode & mode_t(S_IFMT) == (isLast ? mode_t(S_IFREG) : mode_t(S_IFDIR))
      else { return nil }
      guard !isLast else { break }
      meet(String(decoding: path.utf8.prefix(end), as: UTF8.self))
      bytes[end] = slash
      start = end + 1
    }
    return verdict
  }

  /// Whether a part of a path is empty, or a number of dots.
  private static func isOdd(_ part: ArraySlice<CChar>) -> Bool {
    part.allSatisfy { $0 == CChar(UInt8(ascii: ".")) }
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}
