// SPDX-License-Identifier: MIT
// Where the files of a group's store lie, and what is demanded of the directory.

internal import CTesseraSystem
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

  /// The store of a group, in a directory or where the user's data lies.
  ///
  /// - Throws: `fixStorage` when no directory is given and neither `XDG_DATA_HOME` nor `HOME` names one.
  package init(group: String, directory: String?) throws(TesseraError) {
    self.group = group
    if let directory {
      self.directory = directory
    } else if let data = StoreLocation.environment("XDG_DATA_HOME") {
      self.directory = data + "/tessera"
    } else if let home = StoreLocation.environment("HOME") {
      self.directory = home + "/.local/share/tessera"
    } else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "Neither XDG_DATA_HOME nor HOME is set: give a store_directory in the configuration.")
    }
  }

  /// The database.
  package var database: String { "\(directory)/\(group).db" }
  /// The file whose byte ranges are the credential locks; never unlinked.
  package var locks: String { "\(directory)/\(group).lock" }
  /// The file with the word that tells whether anybody committed.
  package var freshness: String { "\(directory)/\(group).fresh" }

  /// A variable that names an absolute path (the XDG specification ignores relative ones).
  private static func environment(_ name: String) -> String? {
    guard let value = ctessera_environment(name), value.pointee == UInt8(ascii: "/") else {
      return nil
    }
    return String(cString: value)
  }
}

extension StoreLocation {
  /// Which file the database is; nil while there is none.
  var identity: FileIdentity? {
    var status = stat()
    // Never by opening it: closing would drop the locks of every connection in this process.
    guard fstatat(AT_FDCWD, database, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  /// Refuses files that are not the user's own: a symbolic link, a foreign owner, or writable by others.
  package func checkSafety() throws(TesseraError) {
    try StoreLocation.check(directory, kind: mode_t(S_IFDIR))
    for file in [database, locks, freshness] {
      try StoreLocation.check(file, kind: mode_t(S_IFREG))
    }
  }

  /// Makes the directory, private from its first moment.
  package func makeDirectory() throws(TesseraError) {
    var path = ""
    for part in directory.split(separator: "/") {
      path += "/" + part
      // Existing parents may refuse with EACCES or EROFS instead of EEXIST; only the last one has to be there.
      guard mkdir(directory.hasPrefix("/") ? path : String(path.dropFirst()), 0o700) != 0,
        errno != EEXIST, path.count >= directory.count
      else { continue }
      throw StoreLocation.failure("make the directory", directory, errno)
    }
    try checkSafety()
  }

  /// Makes the file of the locks, whose mode the database takes over.
  package func makeLockFile() throws(TesseraError) {
    let descriptor = open(locks, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreLocation.failure("open", locks, errno) }
    close(descriptor)
  }

  private static func check(_ path: String, kind: mode_t) throws(TesseraError) {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return }
      throw failure("look at", path, errno)
    }
    guard status.st_mode & S_IFMT == kind else {
      throw unsafe(path, "is not a plain \(kind == S_IFDIR ? "directory" : "file")")
    }
    guard status.st_uid == geteuid() else { throw unsafe(path, "belongs to another user") }
    guard status.st_mode & 0o022 == 0 else { throw unsafe(path, "can be written by others") }
    if status.st_mode & 0o077 != 0 {
      // Readable by others: tighten it, the rest of the user's data may be looser than tokens may be.
      chmod(path, status.st_mode & 0o700)
    }
  }

  private static func unsafe(_ path: String, _ reason: String) -> TesseraError {
    TesseraError(
      .fixStorage, .storeUnsafe,
      "\(path) \(reason). Correct its owner and mode, or choose another store_directory.")
  }

  /// What the system said about a file, as an error with advice.
  package static func failure(_ verb: String, _ path: String, _ code: Int32) -> TesseraError {
    let reason = String(cString: strerror(code))
    guard code == ENOSPC || code == EDQUOT else {
      return TesseraError(
        .fixStorage, .storeUnavailable,
        "Could not \(verb) \(path): \(reason). Correct its permissions or choose another store_directory."
      )
    }
    return TesseraError(
      .fixStorage, .storeFull, "Could not \(verb) \(path): \(reason). Make room on the disk.")
  }
}
