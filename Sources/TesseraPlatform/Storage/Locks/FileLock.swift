// SPDX-License-Identifier: MIT
// Non-blocking byte-range locks on files, owned by a process or by an open file description.

import CLibrary
import CTesseraStore

/// The owner of a byte-range lock.
enum FileLock {
  /// The process (POSIX lock).
  ///
  /// A child of fork() does not inherit it.
  ///
  /// Closing any descriptor of the file releases it. Threads of one process do not exclude each other.
  case process
  /// The open file description (OFD lock).
  ///
  /// Threads that opened the file separately exclude each other.
  ///
  /// A child of fork() shares it, and keeps it when its parent ends.
  case description

  /// A conflicting lock.
  struct Conflict {
    let start: off_t
    let length: off_t
    /// The ID of its process, if the kernel reports it and the process is visible in this PID namespace.
    let process: Int32?
  }

  /// Acquires, changes or releases (`F_RDLCK`, `F_WRLCK`, `F_UNLCK`) a lock.
  ///
  /// A length of 0 extends to the end of the file.
  ///
  /// - Returns: Whether the lock was changed, without waiting. If false, `errno` has the reason.
  func set(
    _ type: some BinaryInteger, _ descriptor: Int32, _ start: off_t, _ length: off_t = 1
  ) -> Bool {
    var range = FileLock.range(type, start, length)
    return fcntl(descriptor, setCommand, &range) == 0
  }

  /// Whether the system supports open file description locks for a file.
  static func hasDescriptionLocks(_ descriptor: Int32) -> Bool {
    // Releases a lock that is never acquired.
    FileLock.description.set(F_UNLCK, descriptor, unused) || !ProcessLocks.isUnsupported(errno)
  }

  /// A registration of a file that this process locks.
  ///
  /// Closing any descriptor of a file releases its POSIX locks. While the file is registered,
  /// `ctessera_close_keeping_locks()` delays closing.
  struct Registration {
    /// The file; nil for OFD locks, which closing another descriptor does not release.
    fileprivate var file: ctessera_identity?

    /// Ends the registration.
    ///
    /// Call it after the locks are released.
    func end() {
      guard var file else { return }
      ctessera_process_locks_end(&file)
    }
  }

  /// Registers a file before it is locked; nil if memory is exhausted or the descriptor is invalid.
  ///
  /// The file must not be locked without a registration.
  func register(_ descriptor: Int32) -> Registration? {
    guard self == .process else { return Registration() }
    var file = ctessera_identity()
    guard ctessera_descriptor_identity(descriptor, &file), ctessera_process_locks_begin(&file)
    else { return nil }
    return Registration(file: file)
  }

  /// Selects OFD locks if the system supports them for a file, otherwise POSIX locks.
  init(for descriptor: Int32) {
    self = FileLock.hasDescriptionLocks(descriptor) ? .description : .process
  }

  /// A byte that is never locked.
  private static let unused = off_t.max - 1

  /// Returns one of the locks that conflict with a write lock on a range; nil if there is none.
  func conflict(_ descriptor: Int32, _ start: off_t, _ length: off_t = 1) -> Conflict? {
    var range = FileLock.range(F_WRLCK, start, length)
    guard fcntl(descriptor, getCommand, &range) == 0, range.l_type != Int16(F_UNLCK) else {
      return nil
    }
    // 0 means a process of another PID namespace, and -1 a lock that is not owned by a process.
    return Conflict(
      start: range.l_start, length: range.l_len, process: range.l_pid > 0 ? range.l_pid : nil)
  }

  private static func range(
    _ type: some BinaryInteger, _ start: off_t, _ length: off_t
  ) -> flock {
    var range = flock()
    range.l_type = Int16(truncatingIfNeeded: type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = start
    range.l_len = length
    return range
  }

  private var setCommand: Int32 { self == .process ? F_SETLK : FileLock.descriptionSet }
  private var getCommand: Int32 { self == .process ? F_GETLK : FileLock.descriptionGet }

  // `F_OFD_SETLK` and `F_OFD_GETLK`, which the Swift overlay of the C library does not define on every system.
  #if os(Linux)
    private static let descriptionGet: Int32 = 36
    private static let descriptionSet: Int32 = 37
  #else
    private static let descriptionGet: Int32 = 92
    private static let descriptionSet: Int32 = 90
  #endif
}
