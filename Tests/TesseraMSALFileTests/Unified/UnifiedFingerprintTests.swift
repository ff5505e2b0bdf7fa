// SPDX-License-Identifier: MIT
// The fingerprint of a search changes with the entries it finds, and with no others.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedFingerprintTests {
  private typealias Sample = UnifiedSample

  private var selection: SnapshotSelection {
    var selection = SnapshotSelection()
    selection.owner = Sample.alice
    selection.scope = "https://x/read"
    selection.keys = [
      AppMetadataRecord(clientID: Sample.cli, environment: Sample.host, familyID: "").key
    ]
    return selection
  }

  private func fingerprint(_ document: String) throws -> UInt64 {
    let search = try #require(UnifiedSearch(selection))
    return try #require(try UnifiedCache(Array(document.utf8)).fingerprint(of: search))
  }

  private func document(_ others: String = "") -> String {
    let alice = #""home_account_id": "\#(Sample.alice)", "environment": "\#(Sample.host)""#
    return """
      {"AccessToken": {"1": {\(alice), "secret": "1", "target": "https://x/read"}\(others)},
      "RefreshToken": {"2": {\(alice), "secret": "2"}}, "IdToken": {"3": {\(alice), "secret": "3"}},
      "Account": {"4": {\(alice), "username": "4"}},
      "AppMetadata": {"5": {"client_id": "\(Sample.cli)", "family_id": "5"}},
      "Tessera": {"6": {\(alice), "secret": "6"}, "7": {"secret": "7"}}, "Other": {"8": {"secret": "8"}}}
      """
  }

  @Test(arguments: ["1", "2", "3", "4", "5", "6", "7"])
  func `a change of any matching entry changes the fingerprint`(_ number: String) throws {
    let before = document()
    let after = before.replacing(#": "\#(number)""#, with: #": "0""#)
    #expect(before != after)
    #expect(try fingerprint(before) != fingerprint(after))
  }

  @Test(arguments: [
    #""home_account_id": "\#(Sample.alice)", "target": "https://x/read""#,
    #""home_account_id": "\#(Sample.alice)", "target": "a https:\/\/x\/read""#,
    #""home_account_id": "\#(Sample.alice)""#,
    #""home_account_\u0069d": "\#(Sample.alice)", "target": "https://y/read""#,
  ])
  func `an additional matching entry changes the fingerprint`(_ members: String) throws {
    let more = document(#", "9": {\#(members), "secret": "9"}"#)
    #expect(try fingerprint(document()) != fingerprint(more))
  }

  @Test(arguments: [
    #""home_account_id": "bob", "target": "https://x/read""#,
    #""home_account_id": "\#(Sample.alice)", "target": "https://y/write""#,
    #""target": "https://x/read""#,
  ])
  func `entries of other accounts or scopes do not change the fingerprint`(
    _ members: String
  ) throws {
    let more = document(#", "9": {\#(members), "secret": "9"}"#)
    #expect(try fingerprint(document()) == fingerprint(more))
    let other = document().replacing(#": "8""#, with: #": "0""#)
    #expect(try fingerprint(document()) == fingerprint(other))
  }

  @Test func `a document with unwritten changes has no fingerprint`() throws {
    let search = try #require(UnifiedSearch(selection))
    var cache = try UnifiedCache(Array(document().utf8))
    cache.put(.credential(Sample.accessToken("new")))
    #expect(cache.fingerprint(of: search) == nil)
    let written = String(decoding: cache.bytes(), as: UTF8.self)
    #expect(cache.fingerprint(of: search) == (try fingerprint(written)))
  }

  @Test(arguments: UnifiedSample.all)
  func `a changed token changes the fingerprint of its searches`(_ sample: UnifiedSample) throws {
    let before = try UnifiedCache(sample.bytes)
    for case .credential(let token) in before.everything() {
      var selection = SnapshotSelection()
      selection.owner = token.homeAccountID
      selection.scope = token.scopes.significant.min()?.text
      let search = try #require(UnifiedSearch(selection))
      var after = before
      var changed = token
      changed["secret"] = "changed"
      after.put(.credential(changed))
      _ = after.bytes()
      #expect(selection.records(in: before) != selection.records(in: after))
      #expect(before.fingerprint(of: search) != after.fingerprint(of: search))
    }
  }

  @Test func `a selection of more than the entries of one account has no search`() {
    var everyone = selection
    everyone.allAccounts = true
    var withoutOwner = selection
    withoutOwner.owner = nil
    var single = selection
    single.keys.append(DiscoveryRecord.key(authority: "https://x/"))
    #expect([everyone, withoutOwner, single].allSatisfy { UnifiedSearch($0) == nil })
  }
}
