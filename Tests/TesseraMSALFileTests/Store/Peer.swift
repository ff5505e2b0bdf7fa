// SPDX-License-Identifier: MIT
// Other processes that hold a lock file, with the system calls of the libraries that share caches.

import Foundation

/// A process that holds a lock file like another library, until it is asked to exit.
final class Peer {
  /// The kinds of locks: of MSAL for Python and Node, for .NET and Go, for Java.
  static let existence = "existence", flock = "flock", record = "record"

  private let process = Process()
  private let input = Pipe()

  /// Runs a program and exits with it.
  init(_ words: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = input
    try process.run()
  }

  /// Starts a process that holds a lock file.
  init(holding kind: String, _ path: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Peer.program, kind, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var bytes = [UInt8](repeating: 0, count: 5)
    var count = 0
    while count < bytes.count {
      let part = read(
        output.fileHandleForReading.fileDescriptor, &bytes[count], bytes.count - count)
      guard part > 0 || part < 0 && errno == EINTR else { break }
      count += max(part, 0)
    }
    guard bytes == Array("held\n".utf8) else { throw CocoaError(.fileLocking) }
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// The process ID.
  var number: Int32 { process.processIdentifier }

  /// Waits for the process to exit.
  func wait() { process.waitUntilExit() }

  /// Makes the process release the lock, and waits for it to exit.
  func leave() {
    input.fileHandleForWriting.closeFile()
    wait()
  }

  /// Kills the process.
  func kill() {
    Foundation.kill(number, SIGKILL)
    wait()
  }

  /// Whether another process could acquire the lock now.
  ///
  /// It releases the lock at once.
  static func canEnter(_ kind: String, _ path: String) throws -> Bool {
    let peer = try? Peer(holding: kind, path)
    peer?.leave()
    return peer != nil
  }

  private static let program = """
    import fcntl, os, sys
    kind, path = sys.argv[1:]
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if kind == "existence" else 0)
    lock = os.open(path, flags, 0o644)
    if kind == "flock":
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(lock, 0)
        os.write(lock, b"{%d peer}" % os.getpid())
    if kind == "record":
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if kind == "existence":
        os.write(lock, b"%d peer" % os.getpid())
    print("held", flush=True)
    sys.stdin.read()
    os.unlink(path)
    """
}
