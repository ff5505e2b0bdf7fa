// SPDX-License-Identifier: MIT
// For how long a lock file is believed, in numbers.

import Testing

@testable import TesseraPlatform

@Suite struct PeerLockAgeTests {
  private static let second: UInt64 = 1_000_000_000

  private func isLeftOver(
    _ holder: PeerLockAge.Holder, _ seconds: UInt64, isMine: Bool = false
  ) -> Bool {
    PeerLockAge.isLeftOver(holder, age: seconds * Self.second, isMine: isMine)
  }

  @Test func `what names nobody alive is believed for ten seconds`() {
    #expect(!isLeftOver(.gone, 10))
    #expect(isLeftOver(.gone, 11))
  }

  @Test func `who has been alive since before the file is believed for five minutes`() {
    let holder = PeerLockAge.Holder.living(nanoseconds: 1000 * Self.second)
    #expect(!isLeftOver(holder, 300))
    #expect(isLeftOver(holder, 301))
    #expect(!isLeftOver(.living(nanoseconds: nil), 300))
    #expect(isLeftOver(.living(nanoseconds: nil), .max / Self.second))
  }

  @Test func `who began after the file was written is not who wrote it`() {
    // The first process of a container that was started again.
    #expect(isLeftOver(.living(nanoseconds: 1 * Self.second), 11))
    #expect(isLeftOver(.living(nanoseconds: 97 * Self.second), 100))
    // Clocks differ a little.
    #expect(!isLeftOver(.living(nanoseconds: 99 * Self.second), 100))
    #expect(!isLeftOver(.living(nanoseconds: 0), 10))
  }

  @Test func `this process does not hold the lock for long without knowing`() {
    let holder = PeerLockAge.Holder.living(nanoseconds: 1000 * Self.second)
    #expect(!isLeftOver(holder, 10, isMine: true))
    #expect(isLeftOver(holder, 11, isMine: true))
  }
}
