// SPDX-License-Identifier: MIT
// Where the program that was opened with an address meets the one that waits for it: a directory of the user's own.

import CTesseraSystem
import Crypto
import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A directory in which sign-ins wait, each at a socket that is named after a hash of its `state`.
///
/// So an address is offered to the one program that could use it, and to no other.
package struct RendezvousSocket: Sendable, Equatable {
  /// The directory.
  let path: String
  /// The directory that must be there, the user's own, before this one is made in it; nil if any may be.
  let parent: String?

  /// The directory `tessera` in a directory of the user's.
  package init(in parent: String) {
    path = parent + "/tessera"
    self.parent = parent
  }

  private init(path: String) {
    self.path = path
    parent = nil
  }

  /// Where sign-ins may wait, in the order in which a place is chosen: whoever looks for one looks everywhere.
  ///
  /// A program that was opened by a desktop and one that began in another session have other environments; the
  /// directories that are named after the user are for those.
  package static var all: [RendezvousSocket] {
    var parents = ["/run/user/\(geteuid())"]
    if let named = StoreLocation.environment("XDG_RUNTIME_DIR"), !parents.contains(named) {
      parents.insert(named, at: 0)
    }
    return parents.map { RendezvousSocket(in: $0) }
      + RuntimeDirectory.candidates.filter { !parents.contains($0) }.map {
        RendezvousSocket(path: $0)
      }
  }

  /// The name of the socket of a sign-in.
  static func name(of state: Secret) -> String {
    var hash = SHA256()
    hash.update(data: Array("tessera sign-in ".utf8))
    hash.update(data: Array(state.reveal().utf8))
    return prefix + Hexadecimal.text(hash.finalize().prefix(16))
  }

  /// How the names of sockets begin.
  static let prefix = "sign-in-"

  /// The directory, open; nil if it is not there, or is not the user's alone.
  ///
  /// - Parameter making: whether it is made.
  /// - Throws: `tooManyOpenFiles`.
  func open(making: Bool) throws(TesseraError) -> Int32? {
    if let parent {
      var status = stat()
      // The link /var/run is the system's own; a link of somebody else's does not belong to the user.
      guard stat(parent, &status) == 0, status.st_uid == geteuid(),
        FileRules.objection(to: status, kind: mode_t(S_IFDIR)) == nil
      else { return nil }
    }
    if making, ![0, EEXIST].contains(PrivateDirectory.create(path)) { return nil }
    let folder = openFolder(path)
    guard folder >= 0 else {
      try TesseraError.checkDescriptors(errno)
      return nil
    }
    var status = stat()
    guard fstat(folder, &status) == 0,
      FileRules.objection(to: status, kind: mode_t(S_IFDIR)) == nil, status.st_mode & 0o077 == 0
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
