// SPDX-License-Identifier: MIT
// Paths of a store's files, and the checks of its directory.

import CLibrary
import CTesseraStore
package import TesseraEngine

/// The paths of the files of one group's store.
package struct StoreLocation: Sendable {
  /// The directory, private to the user.
  package let directory: String
  /// The name of the group, which is part of each file name.
  package let group: String
  /// Whether the directory is the default one, not one chosen by the application.
  private let isDefaultDirectory: Bool

  /// Creates the paths in a directory, or in the user's data directory if it is nil.
  ///
  /// - Throws: `fixStorage` if no directory is given and neither `XDG_DATA_HOME` nor `HOME` is set.
  package init(group: String, directory: String?) throws(TesseraError) {
    self.group = group
    isDefaultDirectory = directory == nil
    if let directory {
      self.directory = directory
    } else if let data = EnvironmentPath.named("XDG_DATA_HOME") {
      self.directory = data + "/tessera"
    } else if let home = EnvironmentPath.named("HOME") {
      self.directory = home + "/.local/share/tessera"
    } else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "Neither XDG_DATA_HOME nor HOME is set. Set HOME or store.directory.")
    }
  }

  private init(_ location: StoreLocation, directory: String) {
    group = location.group
    isDefaultDirectory = location.isDefaultDirectory
    self.directory = directory
  }

  /// The path of the database.
  package var database: String { "\(directory)/\(group).db" }
  /// The paths of the lock files, which are never unlinked.
  ///
  /// For a store on another machine, they are on this machine, named after the inode of the directory. They then
  /// serialize the processes of this machine only, and locking never waits for the network.
  var lockFiles: LockFiles {
    guard isRemote, let number = PersistentFileID(at: directory)?.number else {
      return LockFiles(
        locks: "\(directory)/\(group).lock", threadLocks: "\(directory)/\(group).turn")
    }
    let start = "\(RuntimeDirectory.path)/tessera-\(number)-\(group)"
    return LockFiles(locks: start + ".lock", threadLocks: start + ".turn")
  }
  /// Whether the store is on another machine, or would be once its directory is created.
  package var isRemote: Bool { ctessera_is_remote(directory) }
  /// The path of the change counter file.
  package var counterFile: String { "\(directory)/\(group).fresh" }
}

extension StoreLocation {
  /// Returns the identity of the database file; nil if it does not exist.
  ///
  /// - Throws: `fixStorage` if the system call fails, because such a store must not be treated as empty.
  func identity() throws(TesseraError) -> FileIdentity? {
    if let identity = FileIdentity(at: database) { return identity }
    if errno == ENOENT { return nil }
    throw .failed("examine", database, errno)
  }

  /// Whether a store existed: the change counter file remains if the database is emptied.
  var hasCounterFile: Bool { FileIdentity(at: counterFile) != nil }

  /// Rejects symbolic links, and files that are owned or writable by other users; see ``FileRules``.
  package func checkSafety() throws(TesseraError) {
    do throws(FileError) {
      try FileRules.check(directory, kind: mode_t(S_IFDIR), tightens: isDefaultDirectory)
      try FileRules.checkParents(of: directory)
      let locks = [lockFiles.locks, lockFiles.threadLocks]
      for file in [database, counterFile] + ["-wal", "-shm", "-journal"].map({ database + $0 })
        + locks
      {
        try FileRules.check(file, kind: mode_t(S_IFREG), tightens: true)
      }
    } catch {
      throw TesseraError(error)
    }
  }

  /// Creates the directory and its missing parents, with mode 0700 from the start, and checks its safety.
  package func makeDirectory() throws(TesseraError) {
    do throws(FileError) {
      try PrivateDirectory.make(directory)
      if isRemote { try RuntimeDirectory.make(RuntimeDirectory.path) }
    } catch {
      throw TesseraError(error)
    }
    try checkSafety()
  }

  /// Returns the same paths without symbolic links.
  ///
  /// SQLite rejects all symbolic links, but those above the directory are allowed.
  func resolved() -> StoreLocation {
    guard let path = realpath(directory, nil) else { return self }
    defer { free(path) }
    return StoreLocation(self, directory: String(cString: path))
  }

  /// Creates the file whose mode a new database gets, and returns its path.
  ///
  /// This is the file with the locks between threads. Closing the other lock file would release the locks of other
  /// threads.
  package func createModeFile() throws(TesseraError) -> String {
    let path = lockFiles.threadLocks
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw .failed("open", path, errno) }
    close(descriptor)
    return path
  }
}
