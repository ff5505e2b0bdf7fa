// SPDX-License-Identifier: MIT
// The files of a damaged store, moved out of the way under a dated name, and the new database put in their place.

import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Moves the files of a store, under the lock of the store.
///
/// At every moment there is either the old database, or the new one, complete, under the name ``StoreLocation/next``:
/// whoever finds the old one gone can finish what was begun.
struct QuarantinedFiles {
  /// How many damaged databases of a store are kept; the oldest ones go.
  static let kept = 5

  private let location: StoreLocation

  init(_ location: StoreLocation) {
    self.location = location
  }

  /// The names of the databases that were set aside, the oldest first.
  var names: [String] {
    location.databases.filter { $0.hasPrefix(prefix) }
      .sorted { QuarantinedFiles.order($0) < QuarantinedFiles.order($1) }
  }

  /// A name after all others, such as `default.damaged-2026-11-21T08-15-00Z.db`.
  func newName(at now: Instant) -> String {
    let base = prefix + QuarantinedFiles.text(now)
    let last = names.last { $0.hasPrefix(base) }
    guard let last else { return base + ".db" }
    return "\(base).\(QuarantinedFiles.order(last).1 + 1).db"
  }

  /// Moves the damaged files to a name, and the new database, which is complete, into their place.
  func exchange(_ name: String) throws(TesseraError) {
    try move(location.unfinished, to: location.next)
    try move(location.database, to: path(name))
    try finish(name)
    for old in names.dropLast(QuarantinedFiles.kept) { remove(old) }
  }

  /// Removes every database that was set aside.
  func removeAll() {
    for name in names { remove(name) }
  }

  private func remove(_ name: String) {
    for suffix in QuarantinedFiles.suffixes { unlink(path(name) + suffix) }
  }

  /// The second half: the old database is gone, and what belonged to it goes as well, before the new one comes.
  func finish(_ name: String) throws(TesseraError) {
    for suffix in QuarantinedFiles.suffixes.dropFirst() {
      try move(location.database + suffix, to: path(name) + suffix)
    }
    try move(location.next, to: location.database)
    // The journal of a database without a log outlasts its last transaction.
    removeNew()
    // On disk before anything is committed to the new one.
    let directory = openFile(location.directory, O_RDONLY | O_DIRECTORY)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// Removes a new database that has not taken the place of the old one, and what it was made with.
  func removeNew() {
    for path in [location.next, location.unfinished, location.repair] {
      for suffix in QuarantinedFiles.suffixes { unlink(path + suffix) }
    }
  }

  /// A database with its log and the log's index; without a log it has a journal, which must not meet another database.
  private static let suffixes = ["", "-wal", "-shm", "-journal"]
  private var prefix: String { location.group + ".damaged-" }

  private func path(_ name: String) -> String { "\(location.directory)/\(name)" }

  /// The date of a name, and which one of that second it is.
  private static func order(_ name: String) -> (Substring, Int) {
    let parts = name.split(separator: ".")
    guard let date = parts.last(where: { $0.hasPrefix("damaged-") }) else { return ("", 0) }
    return (date, parts.dropLast().last.flatMap { Int($0) } ?? 1)
  }

  private func move(_ old: String, to new: String) throws(TesseraError) {
    guard rename(old, new) != 0, errno != ENOENT else { return }
    throw StoreLocation.failure("move", old, errno)
  }

  /// A time in UTC as part of a file's name: ISO 8601, with what no file system minds in place of colons.
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
  /// The names of all databases in the directory, of whichever group.
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

  /// The new database while it is made, in place of a damaged one.
  var unfinished: String { "\(directory)/\(group).db-unfinished" }

  /// The new database once it is complete, until it has its place.
  var next: String { "\(directory)/\(group).db-next" }

  /// A copy of a damaged database; see ``RepairedCopy``.
  var repair: String { "\(directory)/\(group).db-repair" }

  /// Whether a damaged database was moved away, and the new one has not come into its place yet.
  var isBetween: Bool { FileIdentity(at: next) != nil && FileIdentity(at: database) == nil }
}
