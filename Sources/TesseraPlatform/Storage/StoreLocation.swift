// SPDX-License-Identifier: MIT
// Where the files of a group's store lie, and what is demanded of the directory.

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

/// The files of one group's store.
package struct StoreLocation: Sendable {
  /// The directory, private to the user.
  package let directory: String
  /// The name that the files share.
  package let group: String
  /// Whether the directory is Tessera's, and not one that somebody named.
  private let isOwn: Bool

  /// The store of a group, in a directory or where the user's data lies.
  ///
  /// - Throws: `fixStorage` when no directory is given and neither `XDG_DATA_HOME` nor `HOME` names one.
  package init(group: String, directory: String?) throws(TesseraError) {
    self.group = group
    isOwn = directory == nil
    if let directory {
      self.directory = directory
    } else if let data = StoreLocation.environment("XDG_DATA_HOME") {
      self.directory = data + "/tessera"
    } else if let home = StoreLocation.environment("HOME") {
      self.directory = home + "/.local/share/tessera"
    } else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "Neither XDG_DATA_HOME nor HOME is set. Set HOME or store_directory.")
    }
  }

  private init(_ location: StoreLocation, directory: String) {
    group = location.group
    isOwn = location.isOwn
    self.directory = directory
  }

  /// The database.
  package var database: String { "\(directory)/\(group).db" }
  /// The files of the locks; never unlinked.
  ///
  /// Those of a store on another machine lie on this one, named after the directory's number there: they keep apart the
  /// programs of this machine, and never wait for a network.
  var lockFiles: LockFiles {
    guard isRemote, let number = FileStamp(at: directory)?.number else {
      return LockFiles(locks: "\(directory)/\(group).lock", turns: "\(directory)/\(group).turn")
    }
    let start = "\(RuntimeDirectory.path)/tessera-\(number)-\(group)"
    return LockFiles(locks: start + ".lock", turns: start + ".turn")
  }
  /// Whether the store lies on another machine, or would once its directory is made.
  package var isRemote: Bool { ctessera_is_remote(directory) }
  /// The file with the word that tells whether anybody committed.
  package var freshness: String { "\(directory)/\(group).fresh" }

  /// A variable that names an absolute path (the XDG specification ignores relative ones, and what is no text names none).
  static func environment(_ name: String) -> String? {
    guard let value = ctessera_environment(name), value.pointee == UInt8(ascii: "/") else {
      return nil
    }
    return String(validatingCString: value)
  }
}

extension StoreLocation {
  /// Which file the database is; nil while there is none.
  ///
  /// - Throws: `fixStorage` when the system does not tell: that is not the same as an empty store.
  func identity() throws(TesseraError) -> FileIdentity? {
    if let identity = FileIdentity(at: database) { return identity }
    if errno == ENOENT { return nil }
    throw StoreLocation.failure("look at", database, errno)
  }

  /// Whether there was a store once: the file of the freshness words stays when the database is emptied.
  var hasFreshness: Bool { FileIdentity(at: freshness) != nil }

  /// Refuses files that are not the user's own: a link, a foreign owner, or writable by others; see ``FileRules``.
  package func checkSafety() throws(TesseraError) {
    do throws(FileProblem) {
      try FileRules.check(directory, kind: mode_t(S_IFDIR), tightens: isOwn)
      try FileRules.checkParents(of: directory)
      let locks = [lockFiles.locks, lockFiles.turns]
      for file in [database, freshness] + ["-wal", "-shm", "-journal"].map({ database + $0 })
        + locks
      {
        try FileRules.check(file, kind: mode_t(S_IFREG), tightens: true)
      }
    } catch {
      throw StoreLocation.error(error)
    }
  }

  /// Makes the directory and what is missing above it, private from the first moment.
  package func makeDirectory() throws(TesseraError) {
    do throws(FileProblem) {
      try PrivateDirectory.make(directory)
      if isRemote { try RuntimeDirectory.make(RuntimeDirectory.path) }
    } catch {
      throw StoreLocation.error(error)
    }
    try checkSafety()
  }

  /// The same files, reached without any symbolic link.
  ///
  /// A link above the directory is the user's own arrangement; SQLite would refuse it together with the dangerous ones.
  func resolved() -> StoreLocation {
    guard let path = realpath(directory, nil) else { return self }
    defer { free(path) }
    return StoreLocation(self, directory: String(cString: path))
  }

  /// Makes a file whose mode the database takes over.
  ///
  /// It is that of the turns: closing the file of the locks would give back those of other threads.
  package func makeModeFile() throws(TesseraError) -> String {
    let path = lockFiles.turns
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw StoreLocation.failure("open", path, errno) }
    close(descriptor)
    return path
  }

  /// A problem with a file, as an error with advice; the setting is the one by which another place can be chosen.
  static func error(
    _ problem: FileProblem, setting: String = "store_directory"
  ) -> TesseraError {
    switch problem {
    case .failed(let verb, let path, let code): failure(verb, path, code, setting: setting)
    case .unsafe(let path, let reason):
      TesseraError(
        .fixStorage, .storeUnsafe,
        "\(path) \(reason). Correct its owner and mode, or choose another \(setting).")
    }
  }

  /// What the system says when the process, or the machine, has too many files open.
  static let noDescriptorLeft: Set<Int32> = [EMFILE, ENFILE]

  /// What the system said about a file, as an error with advice.
  ///
  /// - Parameter setting: the setting by which another place can be chosen.
  package static func failure(
    _ verb: String, _ path: String, _ code: Int32, setting: String = "store_directory"
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
      .fixStorage, .storeFull, "Could not \(verb) \(path): \(reason). Make room on the disk.")
  }
}

extension ErrorCause {
  /// What the system said, as `errno` has it.
  static func system(_ code: Int32) -> ErrorCause {
    ErrorCause(.system, Int64(code), String(cString: strerror(code)))
  }
}

extension TesseraError {
  /// No descriptor is left for a file of the store; that says nothing about the store, so no refresh token is spent.
  static func tooManyFiles(_ path: String) -> TesseraError {
    TesseraError(
      .retryLater, .storeBusy,
      "\(path) could not be opened: too many files are open. Close some, or raise the limit of this program."
    )
  }
}
