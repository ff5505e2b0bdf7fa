// SPDX-License-Identifier: MIT
// The file behind the freshness words: a mark, whose it is, and a word for each part of the store.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The layout of the file, as an array of 64-bit words, and how it is made.
enum FreshnessFile {
  /// Bytes of the whole file; what no word needs is zero, and really on disk.
  static let size = 4096
  /// Says that this layout is meant and no other.
  static let mark: UInt64 = 0x5445_5353_4552_4132
  static let markIndex = 0
  /// Where the identity of the database stands.
  static let identityIndex = 1
  /// Where the word of part 0 stands; the others follow.
  static let firstIndex = 2

  /// Whether a file has this layout and belongs to a database.
  static func belongs(_ descriptor: Int32, to identity: UInt64) -> Bool {
    var head: [UInt64] = [0, 0]
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size >= size
      && pread(descriptor, &head, 16, 0) == 16 && head == [mark, identity]
  }

  /// Writes the whole file, so that no later access can meet a hole or the end.
  ///
  /// It is written in place: a process that has mapped it must go on seeing the same words. They begin where no earlier
  /// ones have been, so that nothing that was remembered becomes current again; the head comes last.
  static func write(_ descriptor: Int32, _ identity: UInt64) -> Bool {
    let start = UInt64.random(in: 0...UInt64.max >> 2) << 1
    var content = [UInt64](repeating: 0, count: size / 8)
    for part in StoreParts.all { content[firstIndex + part] = start }
    var head = [mark, identity]
    return pwrite(descriptor, &content, size, 0) == size && pwrite(descriptor, &head, 16, 0) == 16
  }
}
