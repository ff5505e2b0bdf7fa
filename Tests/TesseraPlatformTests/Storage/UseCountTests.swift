// SPDX-License-Identifier: MIT
// What is open is closed once, by the last one who uses it, and nobody comes afterwards.

import Testing

@testable import TesseraPlatform

@Suite struct UseCountTests {
  @Test func `what nobody uses is closed at once`() {
    let uses = UseCount()
    #expect(uses.begin())
    #expect(!uses.end())
    #expect(uses.retire())
    #expect(!uses.begin())
  }

  @Test func `the last one closes`() {
    let uses = UseCount()
    #expect(uses.begin())
    #expect(uses.begin())
    #expect(!uses.retire())
    #expect(!uses.begin())
    #expect(!uses.end())
    #expect(uses.end())
  }

  @Test func `it is closed once`() {
    let uses = UseCount()
    #expect(uses.retire())
    #expect(!uses.retire())
    #expect(!uses.begin())
  }
}
