// SPDX-License-Identifier: MIT
// The rendezvous of redirect delivery: a private directory with one Unix socket per pending sign-in.

import CLibrary
import CTesseraSystem
import TesseraEngine
import TesseraWire

/// A private directory with a socket per pending sign-in, named after a hash of its `state`.
///
/// A redirect is therefore offered only to the process that can use it.
package struct RendezvousDirectory: Sendable, Equatable {
  /// The directory.
  let path: String
  /// The directory of the user that must exist before ``path`` is created in it; nil if no such check applies.
  let parent: String?

  /// Creates the location `tessera` in a directory of the user.
  package init(in parent: String) {
    path = parent + "/tessera"
    self.parent = parent
  }

  private init(path: String) {
    self.path = path
    parent = nil
  }

  /// All directories for sockets, in order of preference.
  ///
  /// A sender checks each of them.
  ///
  /// The sender, started by a desktop, may have a different environment than the process that waits. Directories with a name that
  /// depends only on the user are found by both.
  package static var all: [RendezvousDirectory] {
    var parents = ["/run/user/\(geteuid())"]
    if let named = EnvironmentPath.named("XDG_RUNTIME_DIR"), !parents.contains(named) {
      parents.insert(named, at: 0)
    }
    return parents.map { RendezvousDirectory(in: $0) }
      + RuntimeDirectory.candidates.filter { !parents.contains($0) }.map {
        RendezvousDirectory(path: $0)
      }
  }

  /// Returns the socket name of a sign-in.
  static func name(of state: Secret) -> String {
    prefix + Hexadecimal.text(Cipher.sha256("tessera sign-in \(state.reveal())").prefix(16))
  }

  /// The prefix of socket names.
  static let prefix = "sign-in-"

  /// Opens the directory.
  ///
  /// - Parameter creating: Whether to create the directory if it is missing.
  /// - Returns: The descriptor, or nil if the directory does not exist or other users have access.
  /// - Throws: `tooManyOpenFiles`.
  func open(creating: Bool) throws(TesseraError) -> Int32? {
    if let parent {
      var status = stat()
      // Links are followed, because /var/run is a link of the system. The directory must be owned by the user in any case.
      guard stat(parent, &status) == 0, status.st_uid == geteuid(),
        FileRules.violation(to: status, kind: mode_t(S_IFDIR)) == nil
      else { return nil }
    }
    if creating, ![0, EEXIST].contains(PrivateDirectory.create(path)) { return nil }
    let folder = openFolder(path)
    guard folder >= 0 else {
      try TesseraError.checkDescriptors(errno)
      return nil
    }
    var status = stat()
    guard fstat(folder, &status) == 0,
      FileRules.violation(to: status, kind: mode_t(S_IFDIR)) == nil, status.st_mode & 0o077 == 0
    else {
      close(folder)
      return nil
    }
    return folder
  }
}

private func openFolder(_ path: String) -> Int32 {
  openFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
}
