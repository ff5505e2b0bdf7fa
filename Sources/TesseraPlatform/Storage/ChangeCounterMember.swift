// SPDX-License-Identifier: MIT
// Joining those who use the freshness words of a store: everybody must use the same ones, in whatever container.

import CTesseraStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why somebody could not join.
enum FreshnessProblem: Error {
  /// Somebody else is joining at this moment.
  case busy
  /// The file is missing, can't be written, or leads to words that can't be reached from here.
  case impossible
}

/// One who uses the words: an open file with a lock that says so, as long as this object lives.
///
/// Words that can't be reached are replaced only when nobody uses them; where others do, a writer says that there are
/// none and waits until everybody has noticed.
final class ChangeCounterMember: Sendable {
  let descriptor: Int32
  /// The file.
  let file: FileIdentity
  /// The same as it is written down.
  let stamp: FileStamp?
  private let isWritable: Bool
  /// Whether the store lies on another machine, where no memory can be shared.
  private let isRemote: Bool
  /// Whether the system has the locks by which members are found; without them no counters are used.
  private let hasLocks: Bool
  private let process = getpid()
  private let isAbandoned = Atomic(false)

  /// Opens the file of the words.
  ///
  /// - Parameter makes: whether it may be made.
  init(path: String, makes: Bool) throws(FreshnessProblem) {
    let flags = O_CLOEXEC | O_NOFOLLOW
    var descriptor = openFile(path, O_RDWR | flags | (makes ? O_CREAT : 0), mode: 0o600)
    isWritable = descriptor >= 0
    if descriptor < 0, !makes { descriptor = openFile(path, O_RDONLY | flags) }
    guard descriptor >= 0, let file = FileIdentity(of: descriptor) else { throw .impossible }
    self.descriptor = descriptor
    self.file = file
    stamp = FileStamp(of: descriptor)
    isRemote = ctessera_is_remote(path)
    hasLocks = FileLock.hasDescriptionLocks(descriptor)
  }

  deinit {
    end()
  }

  /// Leaves, and closes the file.
  func end() {
    guard isOpen else { return }
    leave()
    guard !isAbandoned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
  }

  /// Joins those who use the words of a database.
  ///
  /// - Parameter repairs: whether what the file says may be corrected; only inside a write transaction.
  /// - Returns: where the words are, and the words; none where everybody asks the database.
  func join(
    _ identity: UInt64, repairs: Bool
  ) throws(FreshnessProblem) -> (ChangeCounterFile.Head, ChangeCounterSegment?) {
    if isRemote || !hasLocks { return (try saysNone(identity, repairs), nil) }
    return try alone { () throws(FreshnessProblem) in
      let head = ChangeCounterFile.head(descriptor)
      if let head, head.identity == identity, let segment = ChangeCounterSegment(head) {
        return (head, segment)
      }
      guard hasOthers else { return try beginAnew(identity, head, isSettled: true, repairs) }
      if let head, head.identity == identity {
        if head.words == 0 { return (head, nil) }
        // Others use words that can't be reached from here. They look at the file once a second.
        guard repairs else { throw .impossible }
        return (try write(ChangeCounterFile.Head(noneFor: identity)), nil)
      }
      // Words of another database mislead nobody; a file that says nothing may have said anything.
      return try beginAnew(identity, head, isSettled: head != nil, repairs)
    }
  }

  /// Says again where the words are, in a file that says nothing any more.
  func restore(_ head: ChangeCounterFile.Head) -> Bool {
    guard isOpen else { return false }
    return
      (try? alone { () throws(FreshnessProblem) in
        guard ChangeCounterFile.head(descriptor) == nil else { throw .impossible }
        return try write(head)
      }) != nil
  }

  /// Says that everybody has had the time to notice.
  func settle(_ head: ChangeCounterFile.Head) {
    _ = try? alone { () throws(FreshnessProblem) in
      guard var known = ChangeCounterFile.head(descriptor), known.leads(toSameAs: head) else {
        return
      }
      known.isSettled = true
      _ = try write(known)
    }
  }

  /// Says that this one uses the words no more.
  ///
  /// In a child of fork() the lock is the parent's as well, which goes on using them.
  func leave() {
    guard isOpen, process == getpid() else { return }
    _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.member)
  }

  /// Uses the descriptor no more, whatever it leads to.
  func abandon() { isAbandoned.store(true, ordering: .releasing) }

  /// Whether the descriptor is still ours: a host that closes all of them may have given the number away.
  var isOpen: Bool {
    !isAbandoned.load(ordering: .acquiring) && FileIdentity(of: descriptor) == file
  }

  /// Makes sure that the file says that there are no words; no lock of a file on another machine is waited for.
  private func saysNone(
    _ identity: UInt64, _ repairs: Bool
  ) throws(FreshnessProblem) -> ChangeCounterFile.Head {
    let head = ChangeCounterFile.head(descriptor)
    if let head, head.identity == identity, head.words == 0 { return head }
    guard isWritable, repairs else { throw .impossible }
    return try write(
      ChangeCounterFile.Head(noneFor: identity, isSettled: head?.identity != identity))
  }

  private func beginAnew(
    _ identity: UInt64, _ head: ChangeCounterFile.Head?, isSettled: Bool, _ repairs: Bool
  ) throws(FreshnessProblem) -> (ChangeCounterFile.Head, ChangeCounterSegment?) {
    guard isWritable, repairs || head?.identity == identity else { throw .impossible }
    let words = UInt64.random(in: 1...UInt64.max)
    guard let segment = ChangeCounterSegment(words: words) else {
      return (try write(ChangeCounterFile.Head(noneFor: identity, isSettled: isSettled)), nil)
    }
    let head = ChangeCounterFile.Head(
      identity: identity, words: words, segment: segment.number, isSettled: isSettled)
    do throws(FreshnessProblem) {
      return (try write(head), segment)
    } catch {
      segment.detach()
      throw error
    }
  }

  private func write(
    _ head: ChangeCounterFile.Head
  ) throws(FreshnessProblem) -> ChangeCounterFile.Head {
    guard ChangeCounterFile.write(head, descriptor) else { throw .impossible }
    return head
  }

  private var hasOthers: Bool {
    FileLock.description.conflict(descriptor, ChangeCounterFile.member) != nil
  }

  /// Does something while nobody else can join, and is a member afterwards.
  private func alone<Value>(
    _ body: () throws(FreshnessProblem) -> Value
  ) throws(FreshnessProblem) -> Value {
    guard hasLocks else { return try body() }
    var looks = 0
    // Who cannot write changes nothing either: two of them may join at once.
    let type = isWritable ? F_WRLCK : F_RDLCK
    while !FileLock.description.set(type, descriptor, ChangeCounterFile.joining) {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .impossible }
      looks += 1
      guard looks < 100 else { throw .busy }
      sched_yield()
    }
    defer { _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.joining) }
    // First, so that nothing has to be undone; one's own lock keeps nobody from finding others.
    guard FileLock.description.set(F_RDLCK, descriptor, ChangeCounterFile.member) else {
      throw .impossible
    }
    return try body()
  }
}

extension ChangeCounterFile.Head {
  /// No words for a database: everybody asks it.
  fileprivate init(noneFor identity: UInt64, isSettled: Bool = false) {
    self.init(identity: identity, words: 0, segment: -1, isSettled: isSettled)
  }
}
