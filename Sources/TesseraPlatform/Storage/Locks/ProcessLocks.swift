// SPDX-License-Identifier: MIT
// In-memory locks between the threads of a process. Claims of files on systems without open file description locks.

import CLibrary
import CTesseraStore
import Crypto
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
    var hash = SHA256()
    hash.update(data: secret)
    hash.update(data: Array("\(getpid()) \(byte.device) \(byte.inode)".utf8))
    return "tessera-\(Hexadecimal.text(hash.finalize().prefix(16)))"
  }
}
