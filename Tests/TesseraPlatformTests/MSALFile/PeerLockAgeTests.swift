// SPDX-License-Identifier: MIT
// The time for which a lock file is honoured, in seconds.

import Testing

@testable import TesseraPlatform

@Suite struct PeerLockAgeTests {
  private static let second: UInt64 = 1_000_000_000

  private func isLeftOver(
    _ holder: PeerLockAge.Holder, _ seconds: UInt64, isMine: Bool = false
  ) -> Bool {
    PeerLockAge.isLeftOver(holder, age: seconds * Self.second, isMine: isMine)
  }

  @Test func `a lock file without a live process is honoured for ten seconds`() {
    #expect(!isLeftOver(.gone, 10))
    #expect(isLeftOver(.gone, 11))
  }

  @Test func `a lock file of an older live process is honoured for five minutes`() {
    let holder = PeerLockAge.Holder.living(nanoseconds: 1000 * Self.second)
    #expect(!isLeftOver(holder, 300))
    #expect(isLeftOver(holder, 301))
    #expect(!isLeftOver(.living(nanoseconds: nil), 300))
    #expect(isLeftOver(.living(nanoseconds: nil), .max / Self.second))
  }

  @Test func `a process that started after the file was written is not its writer`() {
    // The first process of a restarted container.
    #expect(isLeftOver(.living(nanoseconds: 1 * Self.second), 11))
    #expect(isLeftOver(.living(nanoseconds: 97 * Self.second), 100))
    // Clocks differ slightly.
    #expect(!isLeftOver(.living(nanoseconds: 99 * Self.second), 100))
    #expect(!isLeftOver(.living(nanoseconds: 0), 10))
  }

  @Test func `a lock file naming this process is honoured for ten seconds`() {
    let holder = PeerLockAge.Holder.living(nanoseconds: 1000 * Self.second)
    #expect(!isLeftOver(holder, 10, isMine: true))
    #expect(isLeftOver(holder, 11, isMine: true))
  }
}
