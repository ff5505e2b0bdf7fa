// SPDX-License-Identifier: MIT
// A mark that somebody met damage in the database, for whoever writes next, in whatever process.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The last word of the file of the freshness words: not 0 if somebody met damage since all of the database was looked at.
///
/// A reader changes nothing in the database, and a writer may not touch what the reader met. Where the file cannot be
/// written, only the process itself knows.
struct DamageMark {
  private static let offset = off_t(ChangeCounterFile.size - 8)

  /// A C string, as whoever asks has it.
  let path: UnsafePointer<CChar>

  /// Whether it is there.
  var isSet: Bool {
    withFile(O_RDONLY, DamageMark.isSet)
  }

  /// Whether it is in a file that is open.
  static func isSet(_ descriptor: Int32) -> Bool {
    var word: UInt64 = 0
    return pread(descriptor, &word, 8, offset) == 8 && word != 0
  }

  /// Makes or removes it.
  func set(_ isSet: Bool) {
    _ = withFile(O_RDWR) { descriptor in
      var status = stat()
      var word: UInt64 = isSet ? 1 : 0
      return fstat(descriptor, &status) == 0 && status.st_size >= ChangeCounterFile.size
        && pwrite(descriptor, &word, 8, DamageMark.offset) == 8
    }
  }

  private func withFile(_ flags: Int32, _ body: (Int32) -> Bool) -> Bool {
    let descriptor = openFile(path, flags | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return body(descriptor)
  }
}
