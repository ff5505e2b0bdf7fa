// SPDX-License-Identifier: MIT
// The time for which a lock file is honoured, in seconds.

import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct PeerLockStalenessTests {
  private static let second: UInt64 = 1_000_000_000

  private func isStale(
    _ holder: PeerLockStaleness.Holder, _ seconds: UInt64, isMine: Bool = false
  ) -> Bool {
    PeerLockStaleness.isStale(holder, age: seconds * Self.second, isMine: isMine)
  }

  @Test func `a lock file without a live process is honoured for ten seconds`() {
    #expect(!isStale(.notRunning, 10))
    #expect(isStale(.notRunning, 11))
  }

  @Test func `a lock file of an older live process is honoured for five minutes`() {
    let holder = PeerLockStaleness.Holder.running(nanoseconds: 1000 * Self.second)
    #expect(!isStale(holder, 300))
    #expect(isStale(holder, 301))
    #expect(!isStale(.running(nanoseconds: nil), 300))
    #expect(isStale(.running(nanoseconds: nil), .max / Self.second))
  }

  @Test func `a process that started after the file was written is not its writer`() {
    // The first process of a restarted container.
    #expect(isStale(.running(nanoseconds: 1 * Self.second), 11))
    #expect(isStale(.running(nanoseconds: 97 * Self.second), 100))
    // Clocks differ slightly.
    #expect(!isStale(.running(nanoseconds: 99 * Self.second), 100))
    #expect(!isStale(.running(nanoseconds: 0), 10))
  }

  @Test func `a lock file naming this process is honoured for ten seconds`() {
    let holder = PeerLockStaleness.Holder.running(nanoseconds: 1000 * Self.second)
    #expect(!isStale(holder, 10, isMine: true))
    #expect(isStale(holder, 11, isMine: true))
  }
}
