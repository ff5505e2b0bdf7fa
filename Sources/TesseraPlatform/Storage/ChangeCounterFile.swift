// SPDX-License-Identifier: MIT
// The file beside the database that says where its freshness words are: it is read and written, never mapped.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The layout of the file, as an array of 64-bit words, and its locks.
enum ChangeCounterFile {
  /// Bytes of the whole file, really on disk; what no word needs is zero.
  static let size = 4096
  /// Says that this layout is meant and no other.
  private static let mark: UInt64 = 0x5445_5353_4552_4134
  /// The byte that is locked by whoever looks where the words are, or says so; then nobody can join or begin anew.
  static let joining: off_t = 1 << 32
  /// The byte on which everybody has a lock who has joined.
  static let member: off_t = joining + 1
  /// Where it says how many commits are on disk, of which database, written down in which file.
  private static let commits: off_t = 4032

  /// Where the words of a database are.
  struct Head: Equatable {
    /// The database.
    let identity: UInt64
    /// Which words, of all that there ever were; 0 for none: then everybody asks the database.
    let words: UInt64
    /// The number of the memory that holds them.
    let segment: Int32
    /// Whether everybody has had the time to notice.
    var isSettled: Bool

    /// Whether they are the same words of the same database.
    func leads(toSameAs other: Head) -> Bool {
      identity == other.identity && words == other.words
    }
  }

  /// What a file says; nil for one that is no such file.
  static func head(_ descriptor: Int32) -> Head? {
    var words: [UInt64] = [0, 0, 0, 0, 0]
    guard pread(descriptor, &words, 40, 0) == 40, words[0] == mark else { return nil }
    return Head(
      identity: words[1], words: words[2], segment: Int32(truncatingIfNeeded: words[3]),
      isSettled: words[4] == 1)
  }

  /// Says where the words are; whoever does that has locked ``joining``.
  static func write(_ head: Head, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    if status.st_size < size || self.head(descriptor)?.identity != head.identity {
      // Every byte is written, so that a disk that is full later has room for them.
      var nothing = [UInt64](repeating: 0, count: size / 8)
      guard pwrite(descriptor, &nothing, size, 0) == size else { return false }
    }
    var words = [
      mark, head.identity, head.words, UInt64(UInt32(bitPattern: head.segment)),
      head.isSettled ? 1 : 0,
    ]
    return pwrite(descriptor, &words, 40, 0) == 40
  }

  /// How many commits a file says are on disk; nil if it says nothing that counts.
  static func commits(_ descriptor: Int32, of identity: UInt64) -> CommitCount? {
    var words = [UInt64](repeating: 0, count: CommitCount.size)
    let size = words.count * 8
    guard pread(descriptor, &words, size, commits) == size else { return nil }
    return CommitCount(words, identity: identity)
  }

  /// Says how many commits are on disk; only in a file of this layout.
  static func write(_ count: CommitCount, _ descriptor: Int32, of identity: UInt64) {
    guard head(descriptor)?.identity == identity else { return }
    var words = count.words(identity)
    _ = pwrite(descriptor, &words, words.count * 8, commits)
  }
}
