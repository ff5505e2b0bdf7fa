// SPDX-License-Identifier: MIT
// The file that records the location of the change counters. It is read and written, never mapped into memory.

import CLibrary

/// The layout of the file, as an array of 64-bit words, and the offsets of its locks.
enum ChangeCounterFile {
  /// The size of the file, in bytes.
  ///
  /// All of it is written; unused words are zero.
  static let size = 4096
  /// The magic number of this layout.
  private static let magicNumber: UInt64 = 0x5445_5353_4552_4134
  /// The offset of the byte that is locked while a process attaches, or reads or writes the location of the segment.
  static let attachLockOffset: off_t = 1 << 32
  /// The offset of the byte on which every attached process holds a shared lock.
  static let memberLockOffset: off_t = attachLockOffset + 1
  /// The offset of the number of durable commits, with the identities of the database and of this file.
  private static let commitsOffset: off_t = 4032

  /// The header of the file: the location of the change counters of a database.
  struct Header: Equatable {
    /// The identity of the database.
    let identity: UInt64
    /// The random ID of the counters.
    ///
    /// 0 if there are none. All processes then query the database.
    let countersID: UInt64
    /// The ID of the shared memory segment.
    let segment: Int32
    /// Whether all processes have had time to notice a change of this file.
    var isSettled: Bool

    /// Whether both refer to the same counters of the same database.
    func hasSameCounters(as other: Header) -> Bool {
      identity == other.identity && countersID == other.countersID
    }
  }

  /// Reads the header of a file; nil if the file does not have this layout.
  static func header(_ descriptor: Int32) -> Header? {
    var words: [UInt64] = [0, 0, 0, 0, 0]
    guard pread(descriptor, &words, 40, 0) == 40, words[0] == magicNumber else { return nil }
    return Header(
      identity: words[1], countersID: words[2], segment: Int32(truncatingIfNeeded: words[3]),
      isSettled: words[4] == 1)
  }

  /// Writes the header; false if a system call fails.
  ///
  /// The caller must hold the lock on ``attachLockOffset``.
  static func write(_ header: Header, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    if status.st_size < size || self.header(descriptor)?.identity != header.identity {
      // Write every byte, so that a full disk cannot block later writes.
      var nothing = [UInt64](repeating: 0, count: size / 8)
      guard pwrite(descriptor, &nothing, size, 0) == size else { return false }
    }
    var words = [
      magicNumber, header.identity, header.countersID, UInt64(UInt32(bitPattern: header.segment)),
      header.isSettled ? 1 : 0,
    ]
    return pwrite(descriptor, &words, 40, 0) == 40
  }

  /// Reads the number of durable commits; nil if it is missing or its checksum does not match.
  static func commits(_ descriptor: Int32, of identity: UInt64) -> CommitCount? {
    var words = [UInt64](repeating: 0, count: CommitCount.size)
    let size = words.count * 8
    guard pread(descriptor, &words, size, commitsOffset) == size else { return nil }
    return CommitCount(words, identity: identity)
  }

  /// Writes the number of durable commits, unless the file has another layout or belongs to another database.
  static func write(_ count: CommitCount, _ descriptor: Int32, of identity: UInt64) {
    guard header(descriptor)?.identity == identity else { return }
    var words = count.words(identity)
    _ = pwrite(descriptor, &words, words.count * 8, commitsOffset)
  }
}
