// SPDX-License-Identifier: MIT
// The search for the web view program, relative to this library and in the system's directories. It never depends on the current
// directory.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// The location of the program `tessera-webview`.
package enum WebViewLocation {
  /// The file name.
  package static let name = "tessera-webview"

  /// Returns the paths to search, in order.
  ///
  /// - Parameters:
  ///   - chosen: The path that the application configured, which is then the only one.
  ///   - ownFile: The library or executable that contains this code.
  package static func candidates(chosen: String?, ownFile: String?) -> [String] {
    if let chosen { return [chosen] }
    var folders: [String] = []
    if let ownFile, ownFile.hasPrefix("/"), let folder = parent(ownFile) {
      folders = (parent(folder).map { [$0 + "/libexec"] } ?? []) + [folder + "/libexec"]
    }
    return (folders + ["/usr/local/libexec", "/usr/libexec"]).map { "\($0)/\(name)" }
  }

  /// Returns the path of the program.
  ///
  /// - Throws: `webviewUnavailable` with instructions for the installation, `invalidMember` if `chosen` is not an absolute path.
  package static func find(chosen: String?) throws(TesseraError) -> String {
    if let chosen, !chosen.hasPrefix("/") || chosen.utf8.contains(0) {
      throw TesseraError(
        .fixRequest, .invalidMember, "webview_program must be the absolute path of a file.")
    }
    let paths = candidates(chosen: chosen, ownFile: ownFile)
    if let found = paths.first(where: isProgram) { return found }
    if let chosen, let objection = objection(to: chosen) {
      throw TesseraError(
        .fixConfiguration, .webviewUnavailable,
        "webview_program was not started: \(chosen) \(objection). Correct this, or choose another file."
      )
    }
    throw TesseraError(
      .fixConfiguration, .webviewUnavailable,
      "\(name) is not installed. Searched: \(paths.joined(separator: ", ")). Install it "
        + "(\"make webview && make install-webview\" of Tessera, which requires libwebkitgtk-6.0), set "
        + "webview_program to its path, or remove webview_type to use the system browser.")
  }

  /// The library or executable that contains this code.
  private static var ownFile: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      ctessera_own_file(buffer.baseAddress, buffer.count)
        ? buffer.baseAddress.map { String(cString: $0) } : nil
    }
  }

  private static func parent(_ path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }

  /// Whether a file is executable, and only this user and root can replace it.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && objection(to: path) == nil
  }

  /// Returns the reason for which a file is not executed; nil if it may be executed or does not exist.
  private static func objection(to path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & mode_t(S_IFMT) != mode_t(S_IFREG) { return "is not a regular file" }
    if status.st_mode & mode_t(S_IWOTH) != 0 { return "is writable by all users" }
    if status.st_mode & mode_t(S_IWGRP) != 0 { return "is writable by its group" }
    if status.st_uid != 0, status.st_uid != geteuid() { return "is owned by another user" }
    do throws(FileError) {
      try FileRules.checkParents(of: path)
    } catch {
      if case .unsafe(let folder, let reason) = error { return "is in \(folder), which \(reason)" }
      return "is in a directory whose attributes cannot be read"
    }
    return access(path, X_OK) == 0 ? nil : "cannot be executed by this user"
  }
}
