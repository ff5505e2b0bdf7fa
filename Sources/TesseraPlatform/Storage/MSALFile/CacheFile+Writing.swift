// SPDX-License-Identifier: MIT
// Atomic replacement of a cache file, with a timestamp that makes all libraries read it again.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension CacheFile {
  /// Replaces the file atomically, under the lock of all libraries.
  ///
  /// - Parameters:
  ///   - expected: The state from which the new content was derived; nil for no file.
  /// - Returns: The new state; nil without writing if the file no longer has the expected state.
  func write(
    _ bytes: [UInt8], replacing expected: CacheStamp?, under lock: PeerLockFile
  ) throws(TesseraError) -> CacheStamp? {
    try checkLength(Int64(bytes.count))
    let new = try TemporaryFile(for: target)
    defer { new.end() }
    try new.write(bytes)
    // A library without locking may have written, or one may have removed a lock file that it does not own.
    guard lock.isCurrent, stamp == expected else { return nil }
    guard rename(new.path, target) == 0 else { throw failure("replace") }
    CacheFile.setFutureTime(new.descriptor)
    guard let stamp = CacheStamp(of: new.descriptor) else { throw failure("examine") }
    PrivateDirectory.sync(directory)
    return stamp
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
  func setAside(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String {
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
  /// Returns whether none is left.
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
      unlink(directory + "/" + other)
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
