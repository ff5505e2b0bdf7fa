// SPDX-License-Identifier: MIT
// POSIX locks of this process while other code of it opens and closes the same file.

import CTesseraStore
import Foundation
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct FileLockTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/file" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A file on which this process has a POSIX lock.
  private struct Locked {
    let descriptor: Int32
    let registration: FileLock.Registration

    func end() {
      registration.end()
      close(descriptor)
    }
  }

  private func locked() throws -> Locked {
    let descriptor = openFile(path, O_RDWR | O_CREAT, mode: 0o600)
    let registration = try #require(FileLock.process.register(descriptor))
    try #require(FileLock.process.set(F_WRLCK, descriptor, 0))
    return Locked(descriptor: descriptor, registration: registration)
  }

  /// Whether this process has a POSIX lock on the file; a lock of an open file description meets it.
  private var isLocked: Bool {
    let descriptor = openFile(path, O_RDWR)
    defer { ctessera_close_keeping_locks(descriptor) }
    return FileLock.description.conflict(descriptor, 0)?.process == getpid()
  }

  @Test func `closing another descriptor of a locked file keeps the lock`() throws {
    let file = try locked()
    defer { file.end() }
    ctessera_close_keeping_locks(openFile(path, O_RDONLY))
    #expect(isLocked)
    // Without the delay the lock is dropped.
    close(openFile(path, O_RDONLY))
    #expect(!isLocked)
  }

  @Test func `descriptors are closed with the last use of the file`() throws {
    let (first, second) = (try locked(), try locked())
    let other = openFile(path, O_RDONLY)
    ctessera_close_keeping_locks(other)
    first.registration.end()
    #expect(FileIdentity(of: other) == FileIdentity(at: path))
    second.registration.end()
    #expect(FileIdentity(of: other) != FileIdentity(at: path))
    for file in [first, second] { close(file.descriptor) }
  }

  @Test func `a descriptor of a file that is not locked is closed at once`() throws {
    let file = try locked()
    defer { file.end() }
    let other = openFile(directory.path, O_RDONLY)
    ctessera_close_keeping_locks(other)
    #expect(FileIdentity(of: other) != FileIdentity(at: directory.path))
  }
}
