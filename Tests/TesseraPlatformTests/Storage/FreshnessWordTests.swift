// SPDX-License-Identifier: MIT
// The freshness word: even between commits, odd during one, whoever dies in between.

import Testing

@testable import TesseraPlatform

@Suite struct FreshnessWordTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func word(repairs: Bool = true, identity: UInt64 = 7) -> FreshnessWord? {
    FreshnessWord(path: directory.path + "/word", identity: identity, repairs: repairs)
  }

  @Test func `it is made only by a writer, and belongs to one database`() throws {
    #expect(word(repairs: false) == nil)
    let made = try #require(word())
    #expect(word(repairs: false)?.version == made.version)
    #expect(word(repairs: false, identity: 8) == nil)
  }

  @Test func `a commit is seen through every mapping, and never again as the same version`() throws
  {
    let (one, other) = (try #require(word()), try #require(word()))
    let before = try #require(other.version)
    let odd = one.beginCommit()
    #expect(other.version == nil)
    one.endCommit(odd)
    let after = try #require(other.version)
    #expect(after != before)
    one.endCommit(odd)
    #expect(other.version == after)
  }

  @Test func `the end of one commit does not end the next one`() throws {
    let (one, other) = (try #require(word()), try #require(word()))
    let first = one.beginCommit()
    // The database is free as soon as the first writer has committed; only then it says so here.
    let second = other.beginCommit()
    one.endCommit(first)
    #expect(one.version == nil)
    other.endCommit(second)
    #expect(one.version != nil)
  }

  @Test func `a writer that dies in between costs speed until the next commit`() throws {
    let (dying, next) = (try #require(word()), try #require(word()))
    _ = dying.beginCommit()
    #expect(next.version == nil)
    next.endCommit(next.beginCommit())
    #expect(next.version != nil)
  }
}
