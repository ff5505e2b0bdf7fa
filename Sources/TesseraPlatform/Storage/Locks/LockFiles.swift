// SPDX-License-Identifier: MIT
// The two files of a store's locks, and how a process has them open.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where the files of a store's locks lie; both are empty, and stay.
struct LockFiles: Sendable, Equatable {
  /// The file whose bytes are the locks between processes.
  let locks: String
  /// The file in which the threads of each process take turns.
  let turns: String

  /// Opens one of them; it is made if it is missing.
  fileprivate static func open(_ path: String) throws(TesseraError) -> Int32 {
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw StoreLocation.failure("open", path, errno) }
    return descriptor
  }
}

/// The file of locks, open as long as this object lives.
///
/// Closing any descriptor of it gives back every lock that the process has in it. So it is closed only while no thread of
/// the process, in whatever copy of the library, holds a lock or tries to; otherwise it stays open.
final class OpenLockFile: Sendable {
  /// What to lock bytes of.
  let descriptor: Int32
  private let identity: FileIdentity?
  private let files: LockFiles

  init(_ files: LockFiles) throws(TesseraError) {
    self.files = files
    descriptor = try LockFiles.open(files.locks)
    identity = FileIdentity(of: descriptor)
  }

  deinit {
    // A host that closes all descriptors may have given this number to a file of its own.
    guard let identity, identity == FileIdentity(of: descriptor) else { return }
    // Nobody can come to a file without a name, and who waits for a lock of it gives it back at once.
    guard !isUnlinked else {
      close(descriptor)
      return
    }
    guard let turn = try? Turn(files, LockPlace.store)
    else { return }
    if turn.isLast { close(descriptor) }
    turn.end()
  }

  private var isUnlinked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Whether the descriptor still leads to the file that has the name.
  func isCurrent(_ files: LockFiles) -> Bool {
    guard let identity, files == self.files else { return false }
    return identity == FileIdentity(of: descriptor) && identity == FileIdentity(at: files.locks)
  }
}

/// A thread's part in the file of turns, for one lock.
struct Turn {
  private let descriptor: Int32
  private let place: LockPlace
  private let path: String
  private let process = ProcessIdentity.current
  /// Owns the locks in memory, where the system refuses those of the file.
  private let owner = ProcessLocks.Owner()

  init(_ files: LockFiles, _ place: LockPlace) throws(TesseraError) {
    descriptor = try LockFiles.open(files.turns)
    path = files.turns
    self.place = place
  }

  /// Takes the turn among the threads of this process; false if another one has it.
  func take() throws(TesseraError) -> Bool {
    guard try lock(F_WRLCK, .turn) else { return false }
    return try lock(F_RDLCK, .use)
  }

  /// Leaves a mark, as whoever has the lock.
  ///
  /// - Returns: a process that has left one and lives: it has lost its lock, by closing the file, and does not know.
  func mark() throws(TesseraError) -> ProcessIdentity? {
    if isInMemory { return nil }
    if let other = othersMark() { return other }
    _ = try lock(F_WRLCK, .mark)
    return nil
  }

  /// Whether no other thread of this process holds a lock, or tries to; none can begin before the end.
  var isLast: Bool { (try? lock(F_WRLCK, .use)) == true }

  /// Gives back the mark, before the lock itself.
  func unmark() {
    _ = FileLock.description.set(F_UNLCK, descriptor, TurnPlace(.mark, place, process).offset)
  }

  /// Gives back all of it; unlocking, not only closing, since a child that forked meanwhile has the description as well.
  func giveBack() {
    if isInMemory { return ProcessLocks.giveBack(owner) }
    _ = FileLock.description.set(F_UNLCK, descriptor, 0, 0)
  }

  /// Gives back all of it, for good.
  func end() {
    giveBack()
    close(descriptor)
  }

  private func lock(
    _ type: some BinaryInteger, _ kind: TurnPlace.Kind
  ) throws(TesseraError) -> Bool {
    let offset = TurnPlace(kind, place, process).offset
    if FileLock.description.set(type, descriptor, offset) { return true }
    if ProcessLocks.isRefusal(errno), let file = FileIdentity(of: descriptor) {
      try ProcessLocks.claim(file, path: path)
      let byte = ProcessLocks.Byte(device: file.device, inode: file.inode, offset: offset)
      return ProcessLocks.take(byte, exclusive: Int32(type) == Int32(F_WRLCK), for: owner)
    }
    guard [EAGAIN, EACCES, EINTR].contains(errno) else {
      throw StoreLocation.failure("lock", path, errno)
    }
    return false
  }

  private var isInMemory: Bool { !FileLock.hasDescriptionLocks(descriptor) }

  /// A mark of a process that lives; those of dead ones are kept by a child that knows nothing of them.
  private func othersMark() -> ProcessIdentity? {
    var ranges = [TurnPlace.range(.mark, place)]
    while let range = ranges.popLast() {
      let length = range.upperBound - range.lowerBound
      guard length > 0,
        let found = FileLock.description.conflict(descriptor, range.lowerBound, length),
        range.contains(found.start)
      else { continue }
      let process = TurnPlace.process(at: found.start)
      guard process.hasEnded else { return process }
      // The kernel tells one of them, not the first one.
      ranges += [range.lowerBound..<found.start, found.start + 1..<range.upperBound]
    }
    return nil
  }
}
