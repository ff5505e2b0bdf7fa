// SPDX-License-Identifier: MIT
// Detection of the account ranges that have changed.

import TesseraCache
import Testing

@Suite struct AccountListVersionTests {
  private func state(_ changed: Int, identity: UInt64 = 1) -> AccountListVersion {
    let ranges = (0..<AccountListVersion.rangeCount).map { UInt64($0 < changed ? 2 : 1) }
    return AccountListVersion(identity: identity, ranges: ranges)
  }

  @Test(arguments: [0, 1, 128])
  func `up to 128 changed ranges are returned`(_ count: Int) {
    #expect(state(count).changes(since: state(0)) == Array(0..<count))
  }

  @Test func `too many changed ranges, or those of another store, return nil`() {
    #expect(state(129).changes(since: state(0)) == nil)
    #expect(state(1).changes(since: state(0, identity: 2)) == nil)
    #expect(state(1).changes(since: AccountListVersion(identity: 1, ranges: [1])) == nil)
  }
}
