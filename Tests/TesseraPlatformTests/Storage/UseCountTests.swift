// SPDX-License-Identifier: MIT
// The use count: a resource is closed once, after its last use, and not used afterwards.

import Testing

@testable import TesseraPlatform

@Suite struct UseCountTests {
  @Test func `an unused resource is closed at once by retire`() {
    let uses = UseCount()
    #expect(uses.begin())
    #expect(!uses.end())
    #expect(uses.retire())
    #expect(!uses.begin())
  }

  @Test func `the last use closes a retired resource`() {
    let uses = UseCount()
    #expect(uses.begin())
    #expect(uses.begin())
    #expect(!uses.retire())
    #expect(!uses.begin())
    #expect(!uses.end())
    #expect(uses.end())
  }

  @Test func `retire closes a resource only once`() {
    let uses = UseCount()
    #expect(uses.retire())
    #expect(!uses.retire())
    #expect(!uses.begin())
  }
}
