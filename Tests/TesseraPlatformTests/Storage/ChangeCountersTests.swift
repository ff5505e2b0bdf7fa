// SPDX-License-Identifier: MIT
// Change counters: even between commits and odd during one, also after a kill; one counter per shard.

import CLibrary
import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct ChangeCountersTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.path + "/words" }

  private func words(repairs: Bool = true, identity: UInt64 = 7) -> ChangeCounters? {
    try? ChangeCounters(path: path, identity: identity, repairs: repairs)
  }

  /// The shard of account 1.
  private let own = StoreShards.shard(of: 1)

  private func shards(_ owners: Int64...) -> StoreShards {
    var shards = StoreShards()
    for owner in owners { shards.insert(owner: owner, key: 0, type: 2002, changesList: true) }
    return shards
  }

  @Test func `only a writer creates counters, and they are valid for one database`() throws {
    #expect(words(repairs: false) == nil)
    let made = try #require(words())
    #expect(words(repairs: false)?.version(of: 3) == made.version(of: 3))
    #expect(words(repairs: false, identity: 8) == nil)
  }

  @Test func `every attached process sees a commit, and no version occurs twice`() throws {
    let (one, other) = (try #require(words()), try #require(words()))
    let before = try #require(other.version(of: 0))
    let commit = one.beginCommit(shards(1))
    #expect(other.version(of: 0) == nil)
    #expect(!other.isCurrent(before))
    one.endCommit(commit)
    let after = try #require(other.version(of: 0))
    #expect(after != before && other.isCurrent(after) && !other.isCurrent(before))
    one.endCommit(commit)
    #expect(other.isCurrent(after))
  }

  @Test func `a commit for one account does not change the versions of other accounts`() throws {
    let (one, other) = (try #require(words()), try #require(words()))
    let (mine, yours) = (try #require(one.version(of: own)), try #require(one.version(of: own + 1)))
    other.endCommit(other.beginCommit(shards(1)))
    #expect(!one.isCurrent(mine))
    #expect(one.isCurrent(yours))
  }

  @Test func `application metadata changes all shards, provider metadata only one`() throws {
    let words = try #require(self.words())
    let before = try StoreShards.all.map { try #require(words.version(of: $0)) }
    var discovery = StoreShards()
    discovery.insert(owner: nil, key: 5, type: DiscoveryRecord.typeNumber, changesList: true)
    words.endCommit(words.beginCommit(discovery))
    #expect(before.filter { !words.isCurrent($0) }.map(\.shard) == [StoreShards.shard(of: 5)])
    var family = StoreShards()
    family.insert(owner: nil, key: 5, type: AppMetadataRecord.typeNumber, changesList: true)
    words.endCommit(words.beginCommit(family))
    #expect(before.allSatisfy { !words.isCurrent($0) })
  }

  @Test func `the end of a commit does not end the next commit`() throws {
    let (one, other) = (try #require(words()), try #require(words()))
    let first = one.beginCommit(shards(1))
    // The next writer can start after COMMIT, before the first writer makes its counters even.
    let second = other.beginCommit(shards(1))
    one.endCommit(first)
    #expect(one.version(of: own) == nil)
    other.endCommit(second)
    #expect(one.version(of: own) != nil)
  }

  @Test func `counters left odd by a killed writer become even at the next commit`() throws {
    let (dying, next) = (try #require(words()), try #require(words()))
    let before = try #require(next.version(of: own))
    _ = dying.beginCommit(shards(1))
    #expect(next.version(of: own) == nil)
    next.endCommit(next.beginCommit(shards(5)))
    #expect(next.version(of: own) != nil)
    #expect(!next.isCurrent(before))
  }

  @Test(arguments: [0, 7, 4095])
  func `truncating the file keeps the counters valid, until a writer restores it`(
    _ length: Int
  ) throws {
    let (words, other) = (try #require(self.words()), try #require(self.words()))
    let before = try #require(words.version(of: 0))
    #expect(truncate(path, length) == 0)
    let isCutInto = length < 40
    #expect(words.isRecorded != isCutInto && !words.isReplaced)
    #expect((words.version(of: 0) == nil) == isCutInto)
    #expect(other.restore() == isCutInto)
    #expect(words.isRecorded && words.isCurrent(before))
    other.endCommit(other.beginCommit(shards(1)))
    #expect(!words.isCurrent(before))
  }

  @Test func `a file of an older layout is ignored`() throws {
    try #require(words()).retire()
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    var oldMark: UInt64 = 0x5445_5353_4552_4131
    #expect(pwrite(descriptor, &oldMark, 8, 0) == 8)
    #expect(words(repairs: false) == nil)
    #expect(words()?.isRecorded == true)
  }

  @Test func `counters that cannot be attached are abandoned after a wait of two seconds`() throws {
    let elsewhere = try #require(self.words())
    let before = try #require(elsewhere.version(of: 0))
    // As in another container, where the segment ID is invalid.
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    var number: UInt64 = 0x7FFF_FFFF
    #expect(pwrite(descriptor, &number, 8, 24) == 8)
    #expect(words(repairs: false) == nil)
    let clock = VirtualClock()
    let start = clock.monotonicNanoseconds
    let writer = try #require(words())
    #expect(writer.isRecorded && writer.version(of: 0) == nil && !elsewhere.isRecorded)
    // A wait that is cut short by a deadline shortens the next one.
    let hurried = CallLimits(timeoutMilliseconds: 1_500, time: clock)
    expect(.deadlineExceeded) { try writer.settle(clock, within: hurried) }
    try writer.settle(clock, within: .none)
    #expect(clock.monotonicNanoseconds - start == 2_000_000_000)
    // The next writer does not wait. No segment is created while others may be using the old one.
    let next = try #require(words())
    try next.settle(clock, within: .none)
    #expect(clock.monotonicNanoseconds - start == 2_000_000_000)
    #expect(next.version(of: 0) == nil)
    for each in [elsewhere, writer, next] { each.retire() }
    #expect(!elsewhere.isCurrent(before))
    #expect(words(repairs: false)?.version(of: 0) != nil)
  }

  @Test func `a single reader creates a new segment, unless the file is read-only`() throws {
    try #require(words()).retire()
    let before = try #require(words(repairs: false)?.version(of: 0))
    #expect(words(repairs: false)?.isCurrent(before) == false)
    #expect(chmod(path, 0o400) == 0)
    // Only root can write the file then.
    if geteuid() != 0 { #expect(words(repairs: false) == nil) }
  }

  @Test func `a selection that spans several shards has no version`() {
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: "https://issuer.example")]
    #expect(StoreShards.shards(readBy: selection) != nil)
    selection.keys = [AppMetadataRecord(clientID: "c", environment: "e", familyID: "").key]
    #expect(StoreShards.shards(readBy: selection)?.one == StoreShards.accountList)
    selection.keys = [CredentialRecord(type: .refreshToken, secret: Secret("1")).key]
    #expect(StoreShards.shards(readBy: selection) == nil)
    selection.keys = []
    selection.owner = "home"
    #expect(StoreShards.shards(readBy: selection) != nil)
  }

  @Test func `shards with invalid numbers are never current`() throws {
    let words = try #require(self.words())
    for shard in [-1, 4095, 1 << 40] {
      #expect(words.version(of: shard) == nil)
      #expect(!words.isCurrent(StoreVersion(identity: 7, shard: shard, commits: 0)))
    }
  }
}
