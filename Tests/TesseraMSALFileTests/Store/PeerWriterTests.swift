// SPDX-License-Identifier: MIT
// The search for a program that is writing a cache file, in a process that locks the same file.

import CTesseraStore
import Foundation
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct PeerWriterTests {
  @Test func `looking for a writer keeps the lock of a cache file`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/file"
    let descriptor = openFile(path, O_RDWR | O_CREAT, mode: 0o600)
    let registration = try #require(FileLock.process.register(descriptor))
    defer {
      registration.end()
      close(descriptor)
    }
    try #require(FileLock.process.set(F_WRLCK, descriptor, 0))
    _ = PeerWriter.process(holding: path)
    let other = openFile(path, O_RDWR)
    defer { ctessera_close_keeping_locks(other) }
    #expect(FileLock.description.conflict(other, 0)?.process == getpid())
  }
}
