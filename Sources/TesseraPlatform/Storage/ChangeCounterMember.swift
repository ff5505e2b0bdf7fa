// SPDX-License-Identifier: MIT
// Attaching to the change counters of a store. All processes must use the same counters, also across containers.

import CLibrary
import CTesseraStore
import Synchronization

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
  let persistentID: PersistentFileID?
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
  /// - Parameter creates: Whether to create a missing file.
  init(path: String, creates: Bool) throws(ChangeCounterError) {
    let flags = O_CLOEXEC | O_NOFOLLOW
    var descriptor = openFile(path, O_RDWR | flags | (creates ? O_CREAT : 0), mode: 0o600)
    isWritable = descriptor >= 0
    if descriptor < 0, !creates { descriptor = openFile(path, O_RDONLY | flags) }
    guard descriptor >= 0, let file = FileIdentity(of: descriptor) else { throw .impossible }
    self.descriptor = descriptor
    self.file = file
    persistentID = PersistentFileID(of: descriptor)
    isRemote = ctessera_is_remote(path)
    hasLocks = FileLock.hasDescriptionLocks(descriptor)
  }

  deinit {
    end()
  }

  /// Detaches, and closes the file.
  func end() {
    guard isOpen else { return }
    releaseMemberLock()
    guard !isAbandoned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
  }

  /// Attaches to the change counters of a database.
  ///
  /// - Parameter repairs: Whether to correct the contents of the file. Set it only inside a write transaction.
  /// - Returns: The header of the file, and the segment; nil if all processes must query the database.
  func attach(
    _ identity: UInt64, repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Header, ChangeCounterSegment?) {
    if isRemote || !hasLocks { return (try recordNoSegment(identity, repairs), nil) }
    return try withAttachLock { () throws(ChangeCounterError) in
      let header = ChangeCounterFile.header(descriptor)
      if let header, header.identity == identity, let segment = ChangeCounterSegment(header) {
        return (header, segment)
      }
      guard hasOtherMembers else {
        return try createCounters(identity, header, isSettled: true, repairs)
      }
      if let header, header.identity == identity {
        if header.countersID == 0 { return (header, nil) }
        // Other processes use a segment that cannot be attached from here. They read the file at least once a second.
        guard repairs else { throw .impossible }
        return (try write(ChangeCounterFile.Header(withoutSegmentFor: identity)), nil)
      }
      // Counters of another database are never used for this one. A file without a header may have been emptied while
      // its counters are in use.
      return try createCounters(identity, header, isSettled: header != nil, repairs)
    }
  }

  /// Writes the header again to a file that was emptied; false if it has a header or cannot be written.
  func restore(_ header: ChangeCounterFile.Header) -> Bool {
    guard isOpen else { return false }
    return
      (try? withAttachLock { () throws(ChangeCounterError) in
        guard ChangeCounterFile.header(descriptor) == nil else { throw .impossible }
        return try write(header)
      }) != nil
  }

  /// Records that all processes have had time to notice the change.
  func settle(_ header: ChangeCounterFile.Header) {
    _ = try? withAttachLock { () throws(ChangeCounterError) in
      guard var known = ChangeCounterFile.header(descriptor), known.hasSameCounters(as: header)
      else { return }
      known.isSettled = true
      _ = try write(known)
    }
  }

  /// Releases the shared lock.
  ///
  /// Does nothing in a child of fork(), because the lock also belongs to the parent, which remains attached.
  func releaseMemberLock() {
    guard isOpen, process == getpid() else { return }
    _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.memberLockOffset)
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
  ) throws(ChangeCounterError) -> ChangeCounterFile.Header {
    let header = ChangeCounterFile.header(descriptor)
    if let header, header.identity == identity, header.countersID == 0 { return header }
    guard isWritable, repairs else { throw .impossible }
    return try write(
      ChangeCounterFile.Header(
        withoutSegmentFor: identity, isSettled: header?.identity != identity))
  }

  private func createCounters(
    _ identity: UInt64, _ header: ChangeCounterFile.Header?, isSettled: Bool, _ repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Header, ChangeCounterSegment?) {
    guard isWritable, repairs || header?.identity == identity else { throw .impossible }
    let countersID = UInt64.random(in: 1...UInt64.max)
    guard let segment = ChangeCounterSegment(countersID: countersID) else {
      return (
        try write(ChangeCounterFile.Header(withoutSegmentFor: identity, isSettled: isSettled)), nil
      )
    }
    let header = ChangeCounterFile.Header(
      identity: identity, countersID: countersID, segment: segment.number, isSettled: isSettled)
    do throws(ChangeCounterError) {
      return (try write(header), segment)
    } catch {
      segment.detach()
      throw error
    }
  }

  private func write(
    _ header: ChangeCounterFile.Header
  ) throws(ChangeCounterError) -> ChangeCounterFile.Header {
    guard ChangeCounterFile.write(header, descriptor) else { throw .impossible }
    return header
  }

  private var hasOtherMembers: Bool {
    FileLock.description.conflict(descriptor, ChangeCounterFile.memberLockOffset) != nil
  }

  /// Runs `body` while no other process can attach.
  ///
  /// Afterwards, this process is attached.
  private func withAttachLock<Value>(
    _ body: () throws(ChangeCounterError) -> Value
  ) throws(ChangeCounterError) -> Value {
    guard hasLocks else { return try body() }
    var attempts = 0
    // Processes without write permission change nothing, so two of them may attach at the same time.
    let type = isWritable ? F_WRLCK : F_RDLCK
    while !FileLock.description.set(type, descriptor, ChangeCounterFile.attachLockOffset) {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .impossible }
      attempts += 1
      guard attempts < 100 else { throw .busy }
      sched_yield()
    }
    defer { _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.attachLockOffset) }
    // Acquire the shared lock before `body` changes the file, so that a failure leaves nothing to undo. A process does
    // not conflict with its own lock.
    guard FileLock.description.set(F_RDLCK, descriptor, ChangeCounterFile.memberLockOffset) else {
      throw .impossible
    }
    return try body()
  }
}

extension ChangeCounterFile.Header {
  /// Creates a location without a segment: all processes query the database.
  fileprivate init(withoutSegmentFor identity: UInt64, isSettled: Bool = false) {
    self.init(identity: identity, countersID: 0, segment: -1, isSettled: isSettled)
  }
}
