// SPDX-License-Identifier: MIT
// The Unix socket on which a sign-in waits for the delivery of its redirect.

import CLibrary
import CTesseraSystem
import TesseraEngine
import TesseraWire

/// A listener for one sign-in, for processes of the same user, until it is released.
final class RendezvousListener: ResponseListener {
  /// The listening descriptors, to be polled for connections.
  let descriptors: [Int32]
  private let folder: Int32
  private let name: String

  /// Listens for the response to an authorization request.
  ///
  /// - Parameter page: The URL of the page. Its `state` parameter (RFC 6749 section 4.1.1) determines the name of the socket.
  /// - Throws: `browserUnavailable` if none of the directories can be used, `tooManyOpenFiles`.
  init(for page: String, in directories: [RendezvousDirectory]) throws(TesseraError) {
    guard let state = DeliveredRedirectURL(page)?.state else {
      throw TesseraError(
        .reportBug, .internalError, "The URL of the sign-in page has no state.")
    }
    name = RendezvousDirectory.name(of: state)
    for directory in directories {
      guard let folder = try directory.open(creating: true) else { continue }
      RendezvousListener.removeStaleSockets(folder, directory.path)
      if let descriptor = RendezvousListener.listen(directory.path, folder, name) {
        self.folder = folder
        descriptors = [descriptor]
        return
      }
      let problem = errno
      close(folder)
      try TesseraError.checkDescriptors(problem)
    }
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "This user has no private runtime directory in which to wait for the redirect: set XDG_RUNTIME_DIR, or use "
        + "http://localhost.")
  }

  deinit {
    unlinkat(folder, name, 0)
    for descriptor in descriptors { close(descriptor) }
    close(folder)
  }

  /// Accepts the next connection of the same user; closes those of other users.
  func accept(from descriptor: Int32) -> Int32? {
    for _ in 0..<64 {
      let connection = ctessera_loopback_accept(descriptor)
      guard connection >= 0 else { return nil }
      if ctessera_rendezvous_is_same_user(connection) { return connection }
      close(connection)
    }
    errno = EAGAIN
    return nil
  }

  /// Creates the socket under a temporary name and renames it, so that its final name appears only once it is listening.
  private static func listen(_ path: String, _ folder: Int32, _ name: String) -> Int32? {
    let unfinished = "new-\(getpid())-\(name)"
    unlinkat(folder, unfinished, 0)
    let descriptor = ctessera_rendezvous_listen(path, folder, unfinished)
    guard descriptor >= 0 else { return nil }
    if renameat(folder, unfinished, folder, name) == 0 { return descriptor }
    unlinkat(folder, unfinished, 0)
    close(descriptor)
    errno = 0
    return nil
  }

  /// Removes sockets of processes that were killed.
  private static func removeStaleSockets(_ folder: Int32, _ path: String) {
    for name in SmallFile.names(in: path, limit: 256) {
      if name.hasPrefix("new-") {
        let creator = name.split(separator: "-").dropFirst().first.flatMap { pid_t($0) }
        if let creator, creator > 0, kill(creator, 0) != 0, errno == ESRCH {
          unlinkat(folder, name, 0)
        }
        continue
      }
      guard name.hasPrefix(RendezvousDirectory.prefix) else { continue }
      let connection = ctessera_rendezvous_connect(path, folder, name)
      if connection >= 0 {
        close(connection)
      } else if errno == ECONNREFUSED {
        unlinkat(folder, name, 0)
      }
    }
  }
}
