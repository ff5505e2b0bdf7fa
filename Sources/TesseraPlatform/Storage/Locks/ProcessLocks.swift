// SPDX-License-Identifier: MIT
// Locks between the threads of this process, and the identity of a process.

import CLibrary
import CTesseraStore
import TesseraEngine
import TesseraWire

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
