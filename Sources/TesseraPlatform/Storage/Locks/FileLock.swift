// SPDX-License-Identifier: MIT
// Locks on bytes of a file, without waiting: of a process, or of an open file description.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// To whom a lock on bytes of a file belongs.
enum FileLock {
  /// To the process: a child of fork() does not have it, and the end of the process ends it.
  ///
  /// So does closing any descriptor of the file. Two threads of a process do not keep each other out.
  case process
  /// To the open file description: threads that opened the file for themselves keep each other out.
  ///
  /// A child of fork() shares it, and keeps it when its parent ends.
  case description

  /// What somebody else has locked.
  struct Conflict {
    let start: off_t
    let length: off_t
    /// The process, where the kernel tells and this process can see it.
    let process: Int32?
  }

  /// Takes, changes or gives back (`F_RDLCK`, `F_WRLCK`, `F_UNLCK`) a lock; a length of 0 is all that follows.
  ///
  /// - Returns: whether that was possible now; `errno` says why not.
  func set(
    _ type: some BinaryInteger, _ descriptor: Int32, _ start: off_t, _ length: off_t = 1
  ) -> Bool {
    var range = FileLock.range(type, start, length)
    return fcntl(descriptor, setCommand, &range) == 0
  }

  /// Whether the system has locks of open file descriptions for a file.
  static func hasDescriptionLocks(_ descriptor: Int32) -> Bool {
    // Gives back a lock that nothing takes.
    FileLock.description.set(F_UNLCK, descriptor, unused) || !ProcessLocks.isRefusal(errno)
  }

  /// A byte that is never locked.
  private static let unused = off_t.max - 1

  /// One of the locks that keep others from writing in a range; nil for none.
  func conflict(_ descriptor: Int32, _ start: off_t, _ length: off_t = 1) -> Conflict? {
    var range = FileLock.range(F_WRLCK, start, length)
    guard fcntl(descriptor, getCommand, &range) == 0, range.l_type != Int16(F_UNLCK) else {
      return nil
    }
    // 0 is a process of another pid namespace, -1 a lock that belongs to no process.
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

  // `F_OFD_SETLK` and `F_OFD_GETLK`, which the C library's Swift overlay does not name on every system.
  #if os(Linux)
    private static let descriptionGet: Int32 = 36
    private static let descriptionSet: Int32 = 37
  #else
    private static let descriptionGet: Int32 = 92
    private static let descriptionSet: Int32 = 90
  #endif
}
