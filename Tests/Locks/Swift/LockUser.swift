// SPDX-License-Identifier: MIT
// A process that holds, loses or waits for a credential's lock, controlled by Tests/Locks/run.

import CLibrary
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire

/// `tessera-locks ACTION DIRECTORY NAME [ARGUMENTS]`; see the actions.
@main struct LockUser {
  private let store: SQLiteStore
  private let directory: String
  private let lock: CredentialLock
  private let arguments: [String]

  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 4, let action = actions[words[1]] else {
      print("usage: tessera-locks \(actions.keys.sorted().joined(separator: "|")) DIRECTORY NAME")
      exit(2)
    }
    let user = LockUser(
      store: SQLiteStore(
        group: "locks", directory: words[2], protection: PlaintextProtection(), time: SystemTime()),
      directory: words[2], lock: LockUser.lock(words[3]), arguments: Array(words[4...]))
    do {
      try action(user)()
    } catch {
      printLine("failed \(error)")
      exit(1)
    }
  }

  private static let actions: [String: @Sendable (LockUser) -> () throws -> Void] = [
    "hold": hold, "hold-and-fork": holdAndFork, "hold-and-close": holdAndClose,
    "try": attempt, "enter": enter, "fork-inside": forkInside,
    "store": storeAndRead, "write-cache": writeCache,
  ]

  private static func lock(_ name: String) -> CredentialLock {
    CredentialLock(environment: "issuer.example", owner: "client", homeAccountID: name)
  }

  static func printLine(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Holds the lock until standard input ends.
  private func hold() throws {
    try store.withLock(on: lock, within: .none) {
      LockUser.printLine("held \(getpid())")
      LockUser.waitForEnd()
    }
    LockUser.printLine("released")
  }

  /// Stores a token, and reads it as another program would.
  private func storeAndRead() throws {
    var token = CredentialRecord(type: .refreshToken, secret: Secret("secret"))
    token.homeAccountID = "person"
    token.environment = "issuer.example"
    token.clientID = "client"
    try store.commit(CacheChange([.put(.credential(token))]), within: .none)
    var selection = SnapshotSelection()
    selection.owner = "person"
    let other = SQLiteStore(
      group: "locks", directory: directory, protection: PlaintextProtection(), time: SystemTime())
    let snapshot = try other.snapshot(selection, within: .none)
    let later = SQLiteStore(
      group: "locks", directory: directory + "/not/there", protection: PlaintextProtection(),
      time: SystemTime())
    let places = [other, later].map {
      $0.info(.allowPlaintext, within: .none).isRemote ? "remote" : "here"
    }
    LockUser.printLine(
      "found \(snapshot.credentials.count) \(snapshot.version == nil ? "none" : "words") "
        + places.joined(separator: " "))
  }

  /// Writes a cache file of other libraries; see ``writeCache(_:_:)``.
  private func writeCache() throws {
    try LockUser.writeCache(directory + "/cache.json", arguments)
  }

  /// The same, with a child that does not use the library and keeps every descriptor open.
  private func holdAndFork() throws {
    try store.withLock(on: lock, within: .none) {
      let child = LockUser.fork()
      if child == 0 { while true { pause() } }
      LockUser.printLine("held \(getpid()) \(child)")
      LockUser.waitForEnd()
    }
  }

  /// The same, but the program closes the lock file, so the kernel releases its locks.
  private func holdAndClose() throws {
    try store.withLock(on: lock, within: .none) {
      close(open(directory + "/locks.lock", O_RDONLY))
      LockUser.printLine("held \(getpid())")
      LockUser.waitForEnd()
    }
  }

  /// Acquires the lock, or fails at the deadline (milliseconds), and prints the duration.
  private func attempt() throws {
    let milliseconds = Int64(arguments.first ?? "") ?? 1000
    let start = SystemTime().monotonicNanoseconds
    let outcome = outcome(of: lock, milliseconds)
    LockUser.printLine("\(outcome) \((SystemTime().monotonicNanoseconds - start) / 1000)")
  }

  /// Acquires the lock many times, and logs each time with brackets: `[` and `]` with the process.
  private func enter() throws {
    let count = Int(arguments.first ?? "") ?? 1
    let log = open(arguments.last ?? "", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let name = getpid()
    for _ in 0..<count {
      try store.withLock(on: lock, within: .none) {
        LockUser.append("[\(name)\n", to: log)
        sched_yield()
        LockUser.append("]\(name)\n", to: log)
      }
      // Otherwise no other process would find it free.
      usleep(300)
    }
  }

  /// Forks while holding the lock: calls of the child time out, and the parent still owns the lock.
  private func forkInside() throws {
    let parent = getpid()
    var child: pid_t = 0
    try store.withLock(on: lock, within: .none) {
      child = LockUser.fork()
      if child == 0 {
        let ok =
          outcome(of: lock, 50) == "busy \(parent)"
          && outcome(of: LockUser.lock("other"), 50) == "held"
        _exit(ok ? 0 : 1)
      }
      LockUser.expectSuccess(of: child)
      child = LockUser.fork()
      if child == 0 { _exit(outcome(of: lock, 10_000) == "held" ? 0 : 1) }
    }
    LockUser.expectSuccess(of: child)
    LockUser.printLine("ok")
  }

  private func outcome(of lock: CredentialLock, _ milliseconds: Int64) -> String {
    do throws(TesseraError) {
      let limits = CallLimits(timeoutMilliseconds: milliseconds, time: SystemTime())
      try store.withLock(on: lock, within: limits) {}
      return "held"
    } catch {
      guard error.code == .storeBusy else { return "failed \(error)" }
      return "busy \(error.holderProcessID ?? 0)"
    }
  }

  private static func expectSuccess(of child: pid_t) {
    var status: Int32 = -1
    guard waitpid(child, &status, 0) == child, status == 0 else {
      printLine("the child failed")
      exit(1)
    }
  }

  private static func waitForEnd() {
    while readLine() != nil {}
  }

  private static func append(_ text: String, to descriptor: Int32) {
    var text = text
    _ = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// fork(), which Swift marks as unavailable.
  private static func fork() -> pid_t {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork") else { exit(1) }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
  }
}
