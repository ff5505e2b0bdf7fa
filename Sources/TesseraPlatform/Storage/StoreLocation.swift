// SPDX-License-Identifier: MIT
// Paths of a store's files, and the checks of its directory.

import CTesseraStore
import CTesseraSystem
package import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
    } else if let data = StoreLocation.environment("XDG_DATA_HOME") {
      self.directory = data + "/tessera"
    } else if let home = StoreLocation.environment("HOME") {
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

  /// Returns an environment variable; nil unless it is an absolute path in UTF-8.
  ///
  /// The XDG Base Directory Specification requires relative paths to be ignored.
  static func environment(_ name: String) -> String? {
    guard let value = ctessera_environment(name), value.pointee == UInt8(ascii: "/") else {
      return nil
    }
    return String(validatingCString: value)
  }
}

extension StoreLocation {
  /// Returns the identity of the database file; nil if it does not exist.
  ///
  /// - Throws: `fixStorage` if the system call fails, because such a store must not be treated as empty.
  func identity() throws(TesseraError) -> FileIdentity? {
    if let identity = FileIdentity(at: database) { return identity }
    if errno == ENOENT { return nil }
    throw StoreLocation.failure("examine", database, errno)
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
      throw StoreLocation.error(error)
    }
  }

  /// Creates the directory and its missing parents, with mode 0700 from the start, and checks its safety.
  package func makeDirectory() throws(TesseraError) {
    do throws(FileError) {
      try PrivateDirectory.make(directory)
      if isRemote { try RuntimeDirectory.make(RuntimeDirectory.path) }
    } catch {
      throw StoreLocation.error(error)
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
    guard descriptor >= 0 else { throw StoreLocation.failure("open", path, errno) }
    close(descriptor)
    return path
  }

  /// Returns an error with a remedy for a rejected file.
  ///
  /// - Parameter setting: The option that chooses another location.
  static func error(
    _ problem: FileError, setting: String = "store.directory"
  ) -> TesseraError {
    switch problem {
    case .failed(let verb, let path, let code): failure(verb, path, code, setting: setting)
    case .unsafe(let path, let reason):
      TesseraError(
        .fixStorage, .storeUnsafe,
        "\(path) \(reason). Correct its owner and mode (chown, chmod go-w), or choose another \(setting)."
      )
    }
  }

  /// The `errno` values of a process or a machine with too many open files.
  static let noDescriptorLeft: Set<Int32> = [EMFILE, ENFILE]

  /// Returns an error with a remedy for a failed system call.
  ///
  /// - Parameter setting: The option that chooses another location.
  package static func failure(
    _ verb: String, _ path: String, _ code: Int32, setting: String = "store.directory"
  ) -> TesseraError {
    advice(verb, path, code, setting).caused(by: .system(code))
  }

  private static func advice(
    _ verb: String, _ path: String, _ code: Int32, _ setting: String
  ) -> TesseraError {
    if noDescriptorLeft.contains(code) { return .tooManyFiles(path) }
    let reason = String(cString: strerror(code))
    guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
      return TesseraError(
        .fixStorage, .storeUnavailable,
        "Could not \(verb) \(path): \(reason). Correct its permissions or choose another \(setting)."
      )
    }
    return TesseraError(
      .fixStorage, .storeFull, "Could not \(verb) \(path): \(reason). Free disk space.")
  }
}

extension TesseraError.Cause {
  /// Returns a cause with an `errno` value and its description.
  static func system(_ code: Int32) -> TesseraError.Cause {
    TesseraError.Cause(.system, Int64(code), String(cString: strerror(code)))
  }
}

extension TesseraError {
  /// Returns the error of a process without a free descriptor.
  ///
  /// The store itself is intact, so no refresh token is redeemed instead.
  static func tooManyFiles(_ path: String) -> TesseraError {
    TesseraError(
      .retryLater, .storeBusy,
      "\(path) could not be opened: the process has too many open files. Close files, or raise the limit (ulimit -n)."
    )
  }
}
