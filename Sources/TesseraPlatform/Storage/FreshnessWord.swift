// SPDX-License-Identifier: MIT
// A word in shared memory that answers "did anybody commit since?" in about a nanosecond.

import Synchronization
import TesseraCache

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A counter that every process with the store maps: even between commits, odd during one.
///
/// It changes only inside a write transaction. A writer that dies in the middle leaves it odd: then readers ask the
/// database, until the next commit makes it even again. So a dead writer costs speed, never freshness.
final class FreshnessWord: Sendable {
  /// The file's content: a mark, the identity of the database, the word; the rest is room that really is on disk.
  private struct Layout {
    var mark: UInt64
    var identity: UInt64
    var word: UInt64
  }

  private static let mark: UInt64 = 0x5445_5353_4552_4131
  private static let size = 4096

  private let address: UInt
  private let identity: UInt64
  /// The file that is mapped.
  let file: FileIdentity

  /// Maps the word of a database; nil where that is not possible, so that the database has to be asked.
  ///
  /// - Parameter repairs: whether the file may be made or corrected; only inside a write transaction.
  init?(path: String, identity: UInt64, repairs: Bool) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (repairs ? O_CREAT : 0), 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let file = FileIdentity(of: descriptor),
      FreshnessWord.hasContent(descriptor, identity)
        || repairs && FreshnessWord.write(descriptor, identity),
      let address = mmap(
        nil, FreshnessWord.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      address != MAP_FAILED
    else { return nil }
    self.address = UInt(bitPattern: address)
    self.identity = identity
    self.file = file
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), FreshnessWord.size)
  }

  /// The state of the store; nil while somebody commits, or after somebody died doing so.
  var version: StoreVersion? {
    guard let commits = word?.pointee.load(ordering: .sequentiallyConsistent), commits & 1 == 0
    else { return nil }
    return StoreVersion(identity: identity, commits: commits)
  }

  /// Tells readers that the state is about to change; call it inside the write transaction.
  ///
  /// - Returns: what ``endCommit(_:)`` takes.
  func beginCommit() -> UInt64 {
    guard let word else { return 0 }
    let odd = word.pointee.load(ordering: .sequentiallyConsistent) &+ 1 | 1
    word.pointee.store(odd, ordering: .sequentiallyConsistent)
    return odd
  }

  /// Tells readers that the state has changed, or that it did not.
  ///
  /// The transaction is over by then: if the next writer has begun already, the word is its own, and stays odd.
  func endCommit(_ odd: UInt64) {
    _ = word?.pointee.compareExchange(
      expected: odd, desired: odd &+ 1, ordering: .sequentiallyConsistent)
  }

  private var word: UnsafeMutablePointer<Atomic<UInt64>>? {
    UnsafeMutableRawPointer(bitPattern: address)?
      .advanced(by: MemoryLayout<Layout>.offset(of: \.word) ?? 16)
      .assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  private static func hasContent(_ descriptor: Int32, _ identity: UInt64) -> Bool {
    var layout = Layout(mark: 0, identity: 0, word: 0)
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size >= size
      && pread(descriptor, &layout, MemoryLayout<Layout>.size, 0) == MemoryLayout<Layout>.size
      && layout.mark == mark && layout.identity == identity
  }

  /// Writes the whole file, so that no later access can meet a hole or the end.
  ///
  /// It is written in place: a process that has mapped it must go on seeing the same word.
  private static func write(_ descriptor: Int32, _ identity: UInt64) -> Bool {
    var word: UInt64 = 0
    withUnsafeMutableBytes(of: &word) {
      _ = pread(descriptor, $0.baseAddress, 8, off_t(MemoryLayout<Layout>.offset(of: \.word) ?? 16))
    }
    var layout = Layout(mark: mark, identity: identity, word: (word | 1) &+ 1)
    let room = [UInt8](repeating: 0, count: size - MemoryLayout<Layout>.size)
    return pwrite(descriptor, room, room.count, off_t(MemoryLayout<Layout>.size)) == room.count
      && pwrite(descriptor, &layout, MemoryLayout<Layout>.size, 0) == MemoryLayout<Layout>.size
  }
}
