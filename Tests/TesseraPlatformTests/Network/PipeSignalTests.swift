// SPDX-License-Identifier: MIT
// Suppression of SIGPIPE, which preserves a pending signal of the host application.

import Foundation
import Testing

@testable import TesseraPlatform

@Suite struct PipeSignalTests {
  /// Writes to a pipe without a reader, and returns `errno`.
  private func writeToBrokenPipe() -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return errno }
    close(ends[0])
    defer { close(ends[1]) }
    return write(ends[1], "x", 1) == 1 ? 0 : errno
  }

  private func isBlocked() -> Bool {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return sigismember(&mask, SIGPIPE) == 1
  }

  private func isPending() -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGPIPE) == 1
  }

  @Test func `a write to a broken pipe returns EPIPE and raises no signal`() {
    signal(SIGPIPE, SIG_DFL)
    #expect(BlockedSignal.brokenPipe.blocked { writeToBrokenPipe() } == EPIPE)
    #expect(!isBlocked())
    #expect(!isPending())
  }

  @Test func `a SIGPIPE that was pending before stays pending`() {
    signal(SIGPIPE, SIG_DFL)
    var pipeOnly = sigset_t()
    sigemptyset(&pipeOnly)
    sigaddset(&pipeOnly, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeOnly, nil)
    #expect(writeToBrokenPipe() == EPIPE)
    BlockedSignal.brokenPipe.blocked { _ = writeToBrokenPipe() }
    #expect(isPending())
    #expect(isBlocked())
    var none = timespec()
    #expect(sigtimedwait(&pipeOnly, nil, &none) == SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &pipeOnly, nil)
  }
}
