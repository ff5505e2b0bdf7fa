// SPDX-License-Identifier: MIT
// The locks of a store, among threads and processes.

package import CLibrary
import CTesseraStore
import TesseraCache
package import TesseraEngine
import TesseraWire

/// The locks of a store's credentials, and of the store itself.
///
/// A lock belongs to the process. It ends with the process, even if a child is still running, and the kernel reports
/// its holder. OFD locks in a second file serialize the threads of a process. docs/store.md documents the protocol.
package final class StoreLocks: Sendable {
  private let opened = SpinLock<OpenLockFile?>(nil)

  package init() {}

  /// Runs `body` while holding a lock, which excludes all threads and processes.
  ///
  /// - Throws: The error of `body`, or `storeBusy` with the holder if the lock is not acquired by the deadline.
  package func withLock<Value>(
    on key: LockKey, in files: LockFiles, _ time: any TimeSource, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let threadLock = try ThreadLock(files, key)
    defer { threadLock.end() }
    var pause = Backoff()
    while true {
      let holder: Int32?
      switch try attempt(threadLock, key, files) {
      case .held(let file):
        defer {
          threadLock.unmark()
          // Release it before the thread lock. Otherwise this would release the lock of the next thread.
          _ = FileLock.process.set(F_UNLCK, file.descriptor, key.offset)
        }
        return try body()
      case .busy(let process): holder = process
      }
      threadLock.releaseAll()
      do throws(TesseraError) {
        try pause.wait(time, within: limits)
      } catch {
        throw error.withHolder(holder)
      }
    }
  }

  private enum Attempt {
    case held(OpenLockFile)
    /// Another holder has the lock: a process, if it is known.
    case busy(Int32?)
  }

  private func attempt(
    _ threadLock: ThreadLock, _ key: LockKey, _ files: LockFiles
  ) throws(TesseraError) -> Attempt {
    guard try threadLock.acquire() else { return .busy(getpid()) }
    let file = try openedFile(files)
    guard FileLock.process.set(F_WRLCK, file.descriptor, key.offset) else {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else {
        throw .failed("lock", files.locks, errno)
      }
      return .busy(FileLock.process.conflict(file.descriptor, key.offset)?.process)
    }
    // The file may have been removed before it was locked, and other processes use a new one.
    var other: ProcessIdentity?
    if file.isCurrent(files) {
      other = try threadLock.mark()
      if other == nil { return .held(file) }
    }
    _ = FileLock.process.set(F_UNLCK, file.descriptor, key.offset)
    return .busy(other?.number)
  }

  private func openedFile(_ files: LockFiles) throws(TesseraError) -> OpenLockFile {
    let known = opened.withLock { $0 }
    if let known, known.isCurrent(files) { return known }
    let new = try OpenLockFile(files)
    return opened.withLock { opened in
      // Another thread may have opened it in the meantime. The unused object closes its file when it is deallocated.
      if let opened, opened !== known { return opened }
      opened = new
      return new
    }
  }
}

extension TesseraError {
  /// Returns the same error, with the process that held the lock.
  fileprivate func withHolder(_ holder: Int32?) -> TesseraError {
    guard code == .storeBusy, let holder else { return self }
    var error = self
    error.holderProcessID = Int64(holder)
    error.message =
      holder == getpid()
      ? "Timed out waiting for another thread of this process that holds the credential lock: try again."
      : "Timed out waiting for process \(holder), which holds the credential lock: try again."
    return error
  }
}

/// A lock of the store, which is a byte of the file with the locks between processes.
package struct LockKey: Sendable, Equatable {
  /// The offset of the byte.
  package let offset: off_t

  /// The lock of a credential, in the lower half of the file.
  ///
  /// Two credentials share a byte with a probability of 2^-62.
  package init(_ credential: CredentialLock) {
    offset = off_t(RecordKey.number(of: credential.name) & 0x3FFF_FFFF_FFFF_FFFF)
  }

  private init(reserved: off_t) {
    offset = 0x4000_0000_0000_0000 + reserved
  }

  /// The lock of the whole store, for operations on its files that must not run concurrently.
  package static let store = LockKey(reserved: 0)

  /// The lock of the pending sign-ins, in stores that keep them in a separate file.
  package static let signIns = LockKey(reserved: 1)
}

/// A byte of the file with the locks between threads, whose offset encodes a kind, a lock and a process.
///
/// From the most significant bit: two bits for the kind, 26 from the lock's offset, 22 for the process ID, 13 for its
/// start time.
struct ThreadLockKey {
  /// The meaning of a byte.
  enum Kind: off_t {
    /// Held by the thread of a process that may acquire the lock.
    case thread = 0
    /// Held by the process that holds the lock.
    case mark = 1
    /// Shared by all threads of a process that hold or are acquiring a lock.
    ///
    /// While it is held, no descriptor of the lock file may be closed.
    case use = 2
  }

  private static let processBits = ProcessIdentity.numberBits + ProcessIdentity.startBits

  /// The offset of the byte.
  let offset: off_t

  /// Creates the byte of a process for a lock.
  init(_ kind: Kind, _ key: LockKey, _ process: ProcessIdentity) {
    let number = off_t(process.number) & (1 << ProcessIdentity.numberBits - 1)
    offset =
      ThreadLockKey.range(kind, key).lowerBound + number << ProcessIdentity.startBits
      + off_t(process.start)
  }

  /// Returns the bytes of all processes for a lock.
  static func range(_ kind: Kind, _ key: LockKey) -> Range<off_t> {
    let key = kind == .use ? 0 : key.offset & 0x3FF_FFFF
    let first = kind.rawValue << 61 + key << processBits
    return first..<first + 1 << processBits
  }

  /// Returns the process that a byte belongs to.
  static func process(at offset: off_t) -> ProcessIdentity {
    let start = offset & (1 << ProcessIdentity.startBits - 1)
    let number = offset >> ProcessIdentity.startBits & (1 << ProcessIdentity.numberBits - 1)
    return ProcessIdentity(
      number: Int32(truncatingIfNeeded: number), start: UInt16(truncatingIfNeeded: start))
  }
}

/// The paths of a store's lock files.
///
/// Both are empty and never removed.
package struct LockFiles: Sendable, Equatable {
  /// The file with the locks between processes, one per byte.
  package let locks: String
  /// The file with the locks that serialize the threads of each process.
  package let threadLocks: String

  /// Creates the paths.
  package init(locks: String, threadLocks: String) {
    self.locks = locks
    self.threadLocks = threadLocks
  }

  /// Opens a lock file, creating it if it is missing.
  fileprivate static func open(_ path: String) throws(TesseraError) -> Int32 {
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw .failed("open", path, errno) }
    return descriptor
  }
}

/// The file with the locks between processes, open as long as this object lives.
///
/// Closing any of its descriptors releases every lock of the process on this file. It is therefore closed only if no
/// thread of the process, in any copy of the library, holds or is acquiring a lock. Otherwise it stays open.
final class OpenLockFile: Sendable {
  /// The descriptor for the locks.
  let descriptor: Int32
  private let identity: FileIdentity?
  private let files: LockFiles

  init(_ files: LockFiles) throws(TesseraError) {
    self.files = files
    descriptor = try LockFiles.open(files.locks)
    identity = FileIdentity(of: descriptor)
  }

  deinit {
    // A host application that closes all descriptors may have reused this number.
    guard let identity, identity == FileIdentity(of: descriptor) else { return }
    // No other thread can open an unlinked file. A thread that acquires a lock on it releases that lock at once.
    guard !isUnlinked else {
      close(descriptor)
      return
    }
    guard let threadLock = try? ThreadLock(files, LockKey.store)
    else { return }
    if threadLock.isLast { close(descriptor) }
    threadLock.end()
  }

  private var isUnlinked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Whether the descriptor still refers to the file at its path.
  func isCurrent(_ files: LockFiles) -> Bool {
    guard let identity, files == self.files else { return false }
    return identity == FileIdentity(of: descriptor) && identity == FileIdentity(at: files.locks)
  }
}

/// A thread's locks in the second file, for one lock of the store.
struct ThreadLock {
  private let descriptor: Int32
  private let key: LockKey
  private let path: String
  private let process = ProcessIdentity.current
  /// The owner of the in-memory locks, which exclude threads even where the system refuses locks on the file.
  private let owner = ProcessLocks.Owner()

  init(_ files: LockFiles, _ key: LockKey) throws(TesseraError) {
    descriptor = try LockFiles.open(files.threadLocks)
    path = files.threadLocks
    self.key = key
  }

  /// Excludes the other threads of this process; false if another thread holds or is acquiring the lock.
  func acquire() throws(TesseraError) -> Bool {
    guard try lock(F_WRLCK, .thread) else { return false }
    return try lock(F_RDLCK, .use)
  }

  /// Marks this process as the holder of the lock.
  ///
  /// - Returns: Another live process that is marked as the holder; nil if there is none. It closed a descriptor of the
  ///   lock file and thereby lost its lock.
  func mark() throws(TesseraError) -> ProcessIdentity? {
    if isInMemory { return nil }
    if let other = othersMark() { return other }
    _ = try lock(F_WRLCK, .mark)
    return nil
  }

  /// Whether no other thread of this process holds or is acquiring a lock.
  ///
  /// Until ``end()``, no other thread can start to acquire one.
  var isLast: Bool { (try? lock(F_WRLCK, .use)) == true }

  /// Releases the mark, before the lock itself.
  func unmark() {
    _ = FileLock.description.set(F_UNLCK, descriptor, ThreadLockKey(.mark, key, process).offset)
  }

  /// Releases all locks explicitly, because a child forked in the meantime shares the open file description.
  func releaseAll() {
    _ = FileLock.description.set(F_UNLCK, descriptor, 0, 0)
    ProcessLocks.releaseAll(owner)
  }

  /// Releases all locks and closes the file.
  func end() {
    releaseAll()
    close(descriptor)
  }

  private func lock(
    _ type: some BinaryInteger, _ kind: ThreadLockKey.Kind
  ) throws(TesseraError) -> Bool {
    let offset = ThreadLockKey(kind, key, process).offset
    guard let file = FileIdentity(of: descriptor) else {
      throw .failed("examine", path, errno)
    }
    // Take the in-memory lock in any case: the system may begin to refuse locks while another thread holds one.
    let byte = ProcessLocks.Byte(device: file.device, inode: file.inode, offset: offset)
    guard ProcessLocks.acquire(byte, exclusive: Int32(type) == Int32(F_WRLCK), for: owner) else {
      return false
    }
    if FileLock.description.set(type, descriptor, offset) { return true }
    if ProcessLocks.isUnsupported(errno) {
      try ProcessLocks.claim(file, path: path)
      return true
    }
    guard [EAGAIN, EACCES, EINTR].contains(errno) else {
      throw .failed("lock", path, errno)
    }
    return false
  }

  private var isInMemory: Bool { !FileLock.hasDescriptionLocks(descriptor) }

  /// Returns another live process that is marked as the holder; nil if there is none.
  ///
  /// The mark of a dead process remains while a child shares its open file description.
  private func othersMark() -> ProcessIdentity? {
    var ranges = [ThreadLockKey.range(.mark, key)]
    while let range = ranges.popLast() {
      let length = range.upperBound - range.lowerBound
      guard length > 0,
        let found = FileLock.description.conflict(descriptor, range.lowerBound, length),
        range.contains(found.start)
      else { continue }
      let process = ThreadLockKey.process(at: found.start)
      guard process.hasEnded else { return process }
      // The kernel reports any one of the marks, not the first one.
      ranges += [range.lowerBound..<found.start, found.start + 1..<range.upperBound]
    }
    return nil
  }
}

/// The owner of a byte-range lock.
package enum FileLock {
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
  package struct Conflict {
    let start: off_t
    let length: off_t
    /// The ID of its process, if the kernel reports it and the process is visible in this PID namespace.
    package let process: Int32?
  }

  /// Acquires, changes or releases (`F_RDLCK`, `F_WRLCK`, `F_UNLCK`) a lock.
  ///
  /// A length of 0 extends to the end of the file.
  ///
  /// - Returns: Whether the lock was changed, without waiting. If false, `errno` has the reason.
  package func set(
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
  package struct Registration {
    /// The file; nil for OFD locks, which closing another descriptor does not release.
    fileprivate var file: ctessera_identity?

    /// Ends the registration.
    ///
    /// Call it after the locks are released.
    package func end() {
      guard var file else { return }
      ctessera_process_locks_end(&file)
    }
  }

  /// Registers a file before it is locked; nil if memory is exhausted or the descriptor is invalid.
  ///
  /// The file must not be locked without a registration.
  package func register(_ descriptor: Int32) -> Registration? {
    guard self == .process else { return Registration() }
    var file = ctessera_identity()
    guard ctessera_descriptor_identity(descriptor, &file), ctessera_process_locks_begin(&file)
    else { return nil }
    return Registration(file: file)
  }

  /// Selects OFD locks if the system supports them for a file, otherwise POSIX locks.
  package init(for descriptor: Int32) {
    self = FileLock.hasDescriptionLocks(descriptor) ? .description : .process
  }

  /// A byte that is never locked.
  private static let unused = off_t.max - 1

  /// Returns one of the locks that conflict with a write lock on a range; nil if there is none.
  package func conflict(_ descriptor: Int32, _ start: off_t, _ length: off_t = 1) -> Conflict? {
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

/// A table of locks in memory, for this process and this copy of the library.
///
/// POSIX locks do not exclude other threads or other copies of the library in the process. They also do not protect a
/// child of fork() that inherited open databases. Therefore one copy claims each file in the process, and every other
/// claim is rejected.
enum ProcessLocks {
  /// A range of one byte in a file.
  struct Byte: Hashable {
    let device: UInt
    let inode: UInt
    let offset: off_t
  }

  /// The owner of locks: one attempt of one thread.
  final class Owner: Sendable {}

  private struct Table {
    var process: Int32
    /// Files that this copy has claimed, by their bytes at offset 0.
    var claims: Set<Byte> = []
    /// Files that a parent of this process had claimed before fork().
    var inherited: Set<Byte> = []
    /// Exclusive owners.
    var writers: [Byte: ObjectIdentifier] = [:]
    /// Shared owners.
    var readers: [Byte: Set<ObjectIdentifier>] = [:]

    /// In a child of fork(), discards the parent's locks and records its claims as inherited.
    mutating func resetAfterFork() {
      guard process != getpid() else { return }
      self = Table(process: getpid(), inherited: inherited.union(claims))
    }
  }

  private static let table = SpinLock(Table(process: getpid()))

  /// Whether an `errno` value reports missing OFD locks: an old kernel, a sandbox or some file systems.
  static func isUnsupported(_ code: Int32) -> Bool {
    [EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP, EPERM].contains(code)
  }

  /// Claims a file for this copy of the library, once for each process.
  ///
  /// - Throws: `storeUnavailable` if another copy has claimed it, or if a parent of this process had.
  static func claim(_ file: FileIdentity, path: String) throws(TesseraError) {
    let key = Byte(device: file.device, inode: file.inode, offset: 0)
    let problem = table.withLock { table -> Int32 in
      table.resetAfterFork()
      if table.inherited.contains(key) { return ECHILD }
      if table.claims.contains(key) { return 0 }
      let problem = ctessera_claim(name(of: key))
      if problem == 0 { table.claims.insert(key) }
      return problem
    }
    guard problem != 0 else { return }
    let reason =
      switch problem {
      case ECHILD:
        "the parent process has already used the store. Use it only before or only after fork()"
      case EADDRINUSE:
        "another copy of Tessera in this process may have locked it. Load the library only once per process"
      default:
        "it could not be reserved with a Unix socket (\(String(cString: strerror(problem)))). Allow Unix sockets"
      }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(path) cannot be locked: the system rejects open file description locks, and \(reason), or choose another \
      store.directory.
      """)
  }

  /// Acquires a lock without waiting; false if another owner has it.
  static func acquire(_ byte: Byte, exclusive: Bool, for owner: Owner) -> Bool {
    let owner = ObjectIdentifier(owner)
    return table.withLock { table in
      table.resetAfterFork()
      if let writer = table.writers[byte], writer != owner { return false }
      guard exclusive else {
        table.readers[byte, default: []].insert(owner)
        return true
      }
      guard table.readers[byte, default: []].subtracting([owner]).isEmpty else { return false }
      table.writers[byte] = owner
      return true
    }
  }

  /// Releases all locks of an owner.
  static func releaseAll(_ owner: Owner) {
    let owner = ObjectIdentifier(owner)
    table.withLock { table in
      table.writers = table.writers.filter { $0.value != owner }
      table.readers = table.readers.mapValues { $0.subtracting([owner]) }
        .filter { !$0.value.isEmpty }
    }
  }

  /// Returns a name that other processes cannot guess.
  ///
  /// A process that bound this name first would block this one.
  private static func name(of byte: Byte) -> String {
    var secret = [UInt8](repeating: 0, count: 16)
    _ = ctessera_process_secret(&secret, secret.count)
    var hash = SHA256Hash()
    hash.update(secret)
    hash.update("\(getpid()) \(byte.device) \(byte.inode)")
    return "tessera-\(Hexadecimal.text(hash.finish().prefix(16)))"
  }
}

/// A process ID with the low bits of the process's start time.
///
/// Both fit into the offset of a lock. The kernel thus records them, and no file contents are needed.
package struct ProcessIdentity: Equatable {
  /// The size of a process ID, which is below 2^22 on Linux (`PID_MAX_LIMIT`).
  static let numberBits = 22
  /// The size of the start time, in bits of 10 ms ticks.
  ///
  /// A reused ID has the same value with a probability of 1 in 8192.
  static let startBits = 13

  /// The process ID.
  package let number: Int32
  /// The low bits of the start time; 0 if the system does not report it.
  package let start: UInt16

  package init(number: Int32, start: UInt16) {
    self.number = number
    self.start = start
  }

  /// The identity of the calling process.
  package static var current: ProcessIdentity {
    let number = getpid()
    return ProcessIdentity(number: number, start: ProcessState(of: number)?.start ?? 0)
  }

  /// Whether the process has certainly ended or is a zombie.
  package var hasEnded: Bool {
    if let state = ProcessState(of: number) { return state.isDead || state.start != start }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// Whether certainly no process with this ID is alive.
  package static func isFree(_ number: Int32) -> Bool {
    if let state = ProcessState(of: number) { return state.isDead }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// Returns the age of a process, in nanoseconds; nil if the system does not report it.
  package static func nanosecondsSinceStart(of number: Int32) -> UInt64? {
    #if os(Linux)
      let perSecond = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
      guard let ticks = ProcessState(of: number)?.ticks, perSecond > 0 else { return nil }
      let start = ticks.multipliedReportingOverflow(by: 1_000_000_000 / perSecond)
      let now = nanoseconds(of: CLOCK_BOOTTIME)
      return start.overflow || start.partialValue > now ? nil : now - start.partialValue
    #else
      return nil
    #endif
  }

  /// The ID of the PID namespace, which differs between containers; "-" if the system does not report it.
  package static var namespace: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
    guard count > 0 else { return "-" }
    let digits = buffer.prefix(count).map(UInt8.init(bitPattern:))
      .filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? "-" : String(decoding: digits, as: UTF8.self)
  }
}

/// The state of a process (proc_pid_stat(5)).
private struct ProcessState {
  let isDead: Bool
  /// The start time, in ticks since boot.
  let ticks: UInt64
  /// The low bits of the start time.
  var start: UInt16 { UInt16(truncatingIfNeeded: ticks) & (1 << ProcessIdentity.startBits - 1) }

  init?(of number: Int32) {
    #if os(Linux)
      let descriptor = openFile("/proc/\(number)/stat", O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      // The second field is the command name in parentheses, which may contain any character.
      guard count > 0, let name = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      let fields = bytes[(name + 1)..<count].split(separator: UInt8(ascii: " "))
      // The third field is the state, the 22nd the start time in ticks since boot.
      guard let state = fields.first?.first, fields.count > 19,
        let ticks = UInt64(String(decoding: fields[19], as: UTF8.self))
      else { return nil }
      isDead = [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(state)
      self.ticks = ticks
    #else
      return nil
    #endif
  }
}
