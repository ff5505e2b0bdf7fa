// SPDX-License-Identifier: MIT
// Quarantine of a damaged database. It is renamed with a date, and a new database is moved to its path.

import CLibrary
import TesseraEngine
import TesseraWire

/// The quarantined databases of a store.
///
/// The caller must hold the store lock.
///
/// At any time there is either the old database, or the complete new one at ``StoreLocation/next``. A process that
/// finds no database can therefore complete the replacement.
struct QuarantinedFiles {
  /// The number of quarantined databases to keep.
  ///
  /// Older ones are deleted.
  static let maximumCount = 5

  private let location: StoreLocation

  init(_ location: StoreLocation) {
    self.location = location
  }

  /// The names of the quarantined databases, oldest first.
  var names: [String] {
    location.databases.filter { $0.hasPrefix(prefix) }
      .sorted { QuarantinedFiles.order($0) < QuarantinedFiles.order($1) }
  }

  /// Returns a name that sorts after all others, such as `default.damaged-2026-11-21T08-15-00Z.db`.
  func newName(at now: Instant) -> String {
    let base = prefix + QuarantinedFiles.text(now)
    let last = names.last { $0.hasPrefix(base) }
    guard let last else { return base + ".db" }
    return "\(base).\(QuarantinedFiles.order(last).1 + 1).db"
  }

  /// Moves the damaged files to a new name, and the complete new database to their path.
  func exchange(_ name: String) throws(TesseraError) {
    try move(location.unfinished, to: location.next)
    try move(location.database, to: path(name))
    try finish(name)
    for old in names.dropLast(QuarantinedFiles.maximumCount) { remove(old) }
  }

  /// Deletes all quarantined databases.
  func removeAll() {
    for name in names { remove(name) }
  }

  private func remove(_ name: String) {
    for suffix in QuarantinedFiles.suffixes { unlink(path(name) + suffix) }
  }

  /// Completes the replacement: moves the companion files of the old database, then the new database to its path.
  func finish(_ name: String) throws(TesseraError) {
    for suffix in QuarantinedFiles.suffixes.dropFirst() {
      try move(location.database + suffix, to: path(name) + suffix)
    }
    try move(location.next, to: location.database)
    // In rollback mode, the journal file remains after the last transaction.
    deleteUnfinished()
    // Make the renames durable before anything is committed to the new database.
    let directory = openFile(location.directory, O_RDONLY | O_DIRECTORY)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// Deletes an unfinished new database and the files it was created from.
  func deleteUnfinished() {
    for path in [location.next, location.unfinished, location.repair] {
      for suffix in QuarantinedFiles.suffixes { unlink(path + suffix) }
    }
  }

  /// The suffixes of a database file, its log, the log's index, and the rollback journal.
  ///
  /// All must move with the database.
  private static let suffixes = ["", "-wal", "-shm", "-journal"]
  private var prefix: String { location.group + ".damaged-" }

  private func path(_ name: String) -> String { "\(location.directory)/\(name)" }

  /// Returns the date in a name, and its number among the names with that date.
  private static func order(_ name: String) -> (Substring, Int) {
    let parts = name.split(separator: ".")
    guard let date = parts.last(where: { $0.hasPrefix("damaged-") }) else { return ("", 0) }
    return (date, parts.dropLast().last.flatMap { Int($0) } ?? 1)
  }

  private func move(_ old: String, to new: String) throws(TesseraError) {
    guard rename(old, new) != 0, errno != ENOENT else { return }
    throw .failed("move", old, errno)
  }

  /// Formats a UTC time for a file name: ISO 8601, with hyphens instead of colons.
  static func text(_ now: Instant) -> String {
    var seconds = time_t(now.secondsSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y-%m-%dT%H-%M-%SZ", &parts)
    return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension StoreLocation {
  /// The names of all databases in the directory, of all groups.
  var databases: [String] {
    guard let directory = openDirectory(directory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".db") { names.append(name) }
    }
    return names
  }

  /// The path of the new database while it is being created.
  var unfinished: String { "\(directory)/\(group).db-unfinished" }

  /// The path of the complete new database until it is moved to its final path.
  var next: String { "\(directory)/\(group).db-next" }

  /// The path of a copy of a damaged database; see ``RepairedCopy``.
  var repair: String { "\(directory)/\(group).db-repair" }

  /// Whether the damaged database was moved away and the new one is not at its path yet.
  var isReplacing: Bool { FileIdentity(at: next) != nil && FileIdentity(at: database) == nil }
}
