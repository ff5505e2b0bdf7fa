// SPDX-License-Identifier: MIT
// Writing a cache file so that nobody ever sees half of it, and that every library notices.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension CacheFile {
  /// Puts a new file in the place of the old one, under the lock of all libraries.
  ///
  /// - Parameters:
  ///   - expected: the state that the new content was made from; nil for no file.
  /// - Returns: the new state; nil if the file is not the expected one any more: nothing was written.
  func write(
    _ bytes: [UInt8], replacing expected: CacheStamp?, under lock: PeerLockFile
  ) throws(TesseraError) -> CacheStamp? {
    try checkLength(Int64(bytes.count))
    let new = try TemporaryFile(for: target)
    defer { new.end() }
    try new.write(bytes)
    // A library that heeds no lock may have written; or one that removes lock files which are not its own.
    guard lock.isCurrent, stamp == expected else { return nil }
    guard rename(new.path, target) == 0 else { throw failure("replace") }
    CacheFile.setAhead(new.descriptor)
    guard let stamp = CacheStamp(of: new.descriptor) else { throw failure("look at") }
    PrivateDirectory.sync(directory)
    return stamp
  }

  /// Sets the time of a file that was written or touched ahead.
  ///
  /// MSAL for Python and Node read again what is newer than their last look by their own clock, of which they take note
  /// after they have read: one who was reading the old cache meanwhile reads again as well.
  static func setAhead(_ descriptor: Int32) {
    let ahead = nanoseconds(of: CLOCK_REALTIME) &+ CacheFile.lead
    var times = [timespec](repeating: timespec(nanoseconds: ahead), count: 2)
    futimens(descriptor, &times)
  }

  /// Keeps what can't be read under a dated name beside the file.
  ///
  /// - Returns: the name.
  func setAside(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String {
    let base = target + CacheFile.asideMark + QuarantinedFiles.text(time.now)
    let taken = Set(asideNames.map { directory + "/" + $0 })
    // More than one in a second is for tests.
    let name = ([base] + (2...99).map { "\(base).\($0)" }).first { !taken.contains($0) } ?? base
    let copy = try TemporaryFile(for: target)
    defer { copy.end() }
    try copy.write(bytes)
    guard rename(copy.path, name) == 0 else { throw failure("set aside") }
    PrivateDirectory.sync(directory)
    for old in asideNames.dropLast(QuarantinedFiles.kept) { unlink(directory + "/" + old) }
    return name
  }

  /// The names of the copies of damaged files, the oldest first.
  var asideNames: [String] {
    names.filter { $0.hasPrefix(name + CacheFile.asideMark) }.sorted()
  }

  /// Removes the copies of damaged files; whether none is left.
  func removeSetAside() -> Bool {
    for old in asideNames { unlink(directory + "/" + old) }
    return asideNames.isEmpty
  }

  /// Removes what writers left behind that were killed.
  func removeLeftOvers() {
    for other in names {
      guard let writer = TemporaryFile.writer(of: other, for: name), writer.hasEnded else {
        continue
      }
      unlink(directory + "/" + other)
    }
  }

  /// Longer than anybody takes between reading a cache and taking note of the time, in nanoseconds.
  static let lead: UInt64 = 2_000_000_000
  private static let asideMark = ".damaged-"

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
