// SPDX-License-Identifier: MIT
// Attaching to the change counters of a store. All processes must use the same counters, also across containers.

import CTesseraStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The reason why a process could not attach.
enum ChangeCounterError: Error {
  /// Another process is attaching at this moment.
  case busy
  /// The file is missing or not writable, or its segment cannot be attached from here.
  case impossible
}

/// The attachment of a process: an open file with a shared lock, as long as this object lives.
///
/// Counters that cannot be attached are replaced only if no other process uses them. Otherwise a writer records "no
/// segment" and waits until all processes have noticed.
final class ChangeCounterMember: Sendable {
  let descriptor: Int32
  /// The identity of the file.
  let file: FileIdentity
  /// The persistent identity of the file.
  let stamp: PersistentFileID?
  private let isWritable: Bool
  /// Whether the store is on another machine, where memory cannot be shared.
  private let isRemote: Bool
  /// Whether open file description locks, which identify attached processes, are supported.
  ///
  /// Without them, no counters are used.
  private let hasLocks: Bool
  private let process = getpid()
  private let isAbandoned = Atomic(false)

  /// Opens the change counter file.
  ///
  /// - Parameter makes: Whether to create a missing file.
  init(path: String, makes: Bool) throws(ChangeCounterError) {
    let flags = O_CLOEXEC | O_NOFOLLOW
    var descriptor = openFile(path, O_RDWR | flags | (makes ? O_CREAT : 0), mode: 0o600)
    isWritable = descriptor >= 0
    if descriptor < 0, !makes { descriptor = openFile(path, O_RDONLY | flags) }
    guard descriptor >= 0, let file = FileIdentity(of: descriptor) else { throw .impossible }
    self.descriptor = descriptor
    self.file = file
    stamp = PersistentFileID(of: descriptor)
    isRemote = ctessera_is_remote(path)
    hasLocks = FileLock.hasDescriptionLocks(descriptor)
  }

  deinit {
    end()
  }

  /// Detaches, and closes the file.
  func end() {
    guard isOpen else { return }
    leave()
    guard !isAbandoned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
  }

  /// Attaches to the change counters of a database.
  ///
  /// - Parameter repairs: Whether to correct the contents of the file. Set it only inside a write transaction.
  /// - Returns: The header of the file, and the segment; nil if all processes must query the database.
  func attach(
    _ identity: UInt64, repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Head, ChangeCounterSegment?) {
    if isRemote || !hasLocks { return (try recordNoSegment(identity, repairs), nil) }
    return try withAttachLock { () throws(ChangeCounterError) in
      let head = ChangeCounterFile.head(descriptor)
      if let head, head.identity == identity, let segment = ChangeCounterSegment(head) {
        return (head, segment)
      }
      guard hasOtherMembers else { return try beginAnew(identity, head, isSettled: true, repairs) }
      if let head, head.identity == identity {
        if head.words == 0 { return (head, nil) }
        // Other processes use a segment that cannot be attached from here. They read the file at least once a second.
        guard repairs else { throw .impossible }
        return (try write(ChangeCounterFile.Head(withoutSegmentFor: identity)), nil)
      }
      // Counters of another database are never used for this one. A file without a header may have been emptied while
      // its counters are in use.
      return try beginAnew(identity, head, isSettled: head != nil, repairs)
    }
  }

  /// Writes the header again to a file that was emptied; false if it has a header or cannot be written.
  func restore(_ head: ChangeCounterFile.Head) -> Bool {
    guard isOpen else { return false }
    return
      (try? withAttachLock { () throws(ChangeCounterError) in
        guard ChangeCounterFile.head(descriptor) == nil else { throw .impossible }
        return try write(head)
      }) != nil
  }

  /// Records that all processes have had time to notice the change.
  func settle(_ head: ChangeCounterFile.Head) {
    _ = try? withAttachLock { () throws(ChangeCounterError) in
      guard var known = ChangeCounterFile.head(descriptor), known.hasSameCounters(as: head) else {
        return
      }
      known.isSettled = true
      _ = try write(known)
    }
  }

  /// Releases the shared lock.
  ///
  /// Does nothing in a child of fork(), because the lock also belongs to the parent, which remains attached.
  func leave() {
    guard isOpen, process == getpid() else { return }
    _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.member)
  }

  /// Stops using the descriptor without closing it.
  func abandon() { isAbandoned.store(true, ordering: .releasing) }

  /// Whether the descriptor still refers to this file.
  ///
  /// A host application may have closed it and reused its number.
  var isOpen: Bool {
    !isAbandoned.load(ordering: .acquiring) && FileIdentity(of: descriptor) == file
  }

  /// Records that there is no segment.
  ///
  /// Takes no lock: the file is remote, or its file system has no open file description locks.
  private func recordNoSegment(
    _ identity: UInt64, _ repairs: Bool
  ) throws(ChangeCounterError) -> ChangeCounterFile.Head {
    let head = ChangeCounterFile.head(descriptor)
    if let head, head.identity == identity, head.words == 0 { return head }
    guard isWritable, repairs else { throw .impossible }
    return try write(
      ChangeCounterFile.Head(withoutSegmentFor: identity, isSettled: head?.identity != identity))
  }

  private func beginAnew(
    _ identity: UInt64, _ head: ChangeCounterFile.Head?, isSettled: Bool, _ repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Head, ChangeCounterSegment?) {
    guard isWritable, repairs || head?.identity == identity else { throw .impossible }
    let words = UInt64.random(in: 1...UInt64.max)
    guard let segment = ChangeCounterSegment(words: words) else {
      return (
        try write(ChangeCounterFile.Head(withoutSegmentFor: identity, isSettled: isSettled)), nil
      )
    }
    let head = ChangeCounterFile.Head(
      identity: identity, words: words, segment: segment.number, isSettled: isSettled)
    do throws(ChangeCounterError) {
      return (try write(head), segment)
    } catch {
      segment.detach()
      throw error
    }
  }

  private func write(
    _ head: ChangeCounterFile.Head
  ) throws(ChangeCounterError) -> ChangeCounterFile.Head {
    guard ChangeCounterFile.write(head, descriptor) else { throw .impossible }
    return head
  }

  private var hasOtherMembers: Bool {
    FileLock.description.conflict(descriptor, ChangeCounterFile.member) != nil
  }

  /// Runs `body` while no other process can attach.
  ///
  /// Afterwards, this process is attached.
  private func withAttachLock<Value>(
    _ body: () throws(ChangeCounterError) -> Value
  ) throws(ChangeCounterError) -> Value {
    guard hasLocks else { return try body() }
    var looks = 0
    // Processes without write permission change nothing, so two of them may attach at the same time.
    let type = isWritable ? F_WRLCK : F_RDLCK
    while !FileLock.description.set(type, descriptor, ChangeCounterFile.attachLockOffset) {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .impossible }
      looks += 1
      guard looks < 100 else { throw .busy }
      sched_yield()
    }
    defer { _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.attachLockOffset) }
    // Acquire the shared lock before `body` changes the file, so that a failure leaves nothing to undo. A process does
    // not conflict with its own lock.
    guard FileLock.description.set(F_RDLCK, descriptor, ChangeCounterFile.member) else {
      throw .impossible
    }
    return try body()
  }
}

extension ChangeCounterFile.Head {
  /// Creates a location without a segment: all processes query the database.
  fileprivate init(withoutSegmentFor identity: UInt64, isSettled: Bool = false) {
    self.init(identity: identity, words: 0, segment: -1, isSettled: isSettled)
  }
}
