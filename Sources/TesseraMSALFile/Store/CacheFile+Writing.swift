// SPDX-License-Identifier: MIT
// Atomic replacement of a cache file, with a timestamp that makes all libraries read it again.

import CLibrary
import TesseraEngine
import TesseraPlatform

extension CacheFile {
  /// Replaces the file atomically.
  ///
  /// The new file is complete and on disk before the lock that all libraries share is acquired. The caller may already
  /// hold the lock.
  ///
  /// - Parameter expected: The state from which the new content was derived; nil for no file.
  /// - Returns: The new state; nil without writing if the file no longer has the expected state.
  func write(
    _ bytes: [UInt8], replacing expected: DocumentState?, under lock: PeerLock,
    within limits: CallLimits
  ) throws(TesseraError) -> CacheStamp? {
    try checkLength(Int64(bytes.count))
    let new = try TemporaryFile(for: target)
    defer { new.end() }
    try new.write(bytes)
    // Keeps the old file open, because some file systems need milliseconds to free it at the last close.
    let old = openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    defer { if old >= 0 { close(old) } }
    let stamp = try lock.withLock(within: limits) { file throws(TesseraError) in
      try replace(with: new, expecting: expected, file)
    }
    // Sync after the lock file was removed, so that it does not reappear after a power loss.
    if stamp != nil { PrivateDirectory.sync(directory) }
    return stamp
  }

  /// Renames a complete file to the path of this one.
  private func replace(
    with new: TemporaryFile, expecting expected: DocumentState?, _ lock: PeerLockFile
  ) throws(TesseraError) -> CacheStamp? {
    // A library without locking may have written the file. Another one may have removed a lock file that it does not
    // own.
    guard lock.isCurrent, try isUnchanged(since: expected) else { return nil }
    CacheFile.setFutureTime(new.descriptor)
    guard rename(new.path, target) == 0 else {
      // An older version of Tessera in another container may consider this process dead and remove the file.
      if errno == ENOENT { return nil }
      throw failure("replace")
    }
    // Read the state before the lock is released, because some libraries write in place.
    guard let stamp = CacheStamp(of: new.descriptor) else { throw failure("examine") }
    return stamp
  }

  /// Whether the file still has the given state; nil means that there was no file.
  private func isUnchanged(since seen: DocumentState?) throws(TesseraError) -> Bool {
    guard stamp == seen?.stamp else { return false }
    guard let seen, !seen.isSettled else { return true }
    // The file may have been written again within one step of the file system's clock.
    guard case .content(let bytes, _) = try readOnce() else { return false }
    return bytes == seen.bytes
  }

  /// Sets the times of a file that was written or touched to a future time.
  ///
  /// MSAL for Python and Node compare the time of the file with the time of their last read. They record that time after the
  /// read, so a library that read the old cache during the write would otherwise miss the change.
  static func setFutureTime(_ descriptor: Int32) {
    let ahead = nanoseconds(of: CLOCK_REALTIME) &+ CacheFile.futureOffset
    var times = [timespec](repeating: timespec(nanoseconds: ahead), count: 2)
    futimens(descriptor, &times)
  }

  /// Quarantines damaged content under a name with the date, in the same directory.
  ///
  /// - Returns: The name.
  func quarantine(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String {
    let base = target + CacheFile.quarantineMark + QuarantinedFiles.text(time.now)
    let taken = Set(quarantinedNames.map { directory + "/" + $0 })
    // Only tests need more than one name per second.
    let name = ([base] + (2...99).map { "\(base).\($0)" }).first { !taken.contains($0) } ?? base
    let copy = try TemporaryFile(for: target)
    defer { copy.end() }
    try copy.write(bytes)
    guard rename(copy.path, name) == 0 else { throw failure("quarantine") }
    PrivateDirectory.sync(directory)
    for old in quarantinedNames.dropLast(QuarantinedFiles.maximumCount) {
      unlink(directory + "/" + old)
    }
    return name
  }

  /// The names of the quarantined files, oldest first.
  var quarantinedNames: [String] {
    names.filter { $0.hasPrefix(name + CacheFile.quarantineMark) }.sorted()
  }

  /// Removes the quarantined files.
  ///
  /// - Returns: Whether all were removed.
  func deleteQuarantined() -> Bool {
    for old in quarantinedNames { unlink(directory + "/" + old) }
    return quarantinedNames.isEmpty
  }

  /// Removes temporary files of processes that were killed.
  func removeStaleTemporaryFiles() {
    for other in names {
      guard let writer = TemporaryFile.writer(of: other, for: name), writer.hasEnded else {
        continue
      }
      TemporaryFile.removeUnused(directory + "/" + other)
    }
  }

  /// A time longer than any library takes between reading a cache and recording the time of the read, in nanoseconds.
  static let futureOffset: UInt64 = 2_000_000_000
  private static let quarantineMark = ".damaged-"

  private var names: [String] {
    guard let stream = openDirectory(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(self.name) { names.append(name) }
    }
    return names
  }
}
