// SPDX-License-Identifier: MIT
// Store records: any JSON object with any type number.

import TesseraCache
import TesseraEngine
import TesseraMSALFile
import TesseraWire

private let types = [1003, 2001, 2002, 2003, 2005, 2007, 2008, 2009, 3001, 5001, 9001, 4711, 9002]
private let now = Instant(secondsSince1970: 1_798_761_600)

/// Fuzzes a record: parses, stores, looks up, lists and signs out.
func fuzzRecords(_ input: FuzzInput) {
  let type = types[Int(input.choice) % types.count]
  guard let members = object(input.bytes),
    let record = CacheRecord(typeNumber: type, members: members)
  else { return }
  require(record.members == members, "a record stays whole")
  var table = MemoryTable()
  table.put(record)
  require(table.record(at: record.key)?.key == record.key, "a record is found under its key")
  _ = record.key.number
  read(record)
  var selection = SnapshotSelection()
  selection.owner = record.owner
  selection.allAccounts = true
  let snapshot = CacheSnapshot(records: selection.records(in: table), version: nil)
  _ = (snapshot.familyID(of: "app"), snapshot.signInStates(of: "app"), snapshot.accounts)
  let owner = record.owner ?? ""
  let change = CacheChange([
    .signOut(.init(homeAccountID: owner, clientID: "app", environments: ["a"], isEntra: true))
  ])
  change.apply(to: &table)
}

private func read(_ record: CacheRecord) {
  switch record {
  case .credential(let credential):
    _ = (credential.expiresAt, credential.cachedAt, credential.refreshAt, credential.scopes)
    _ = credential.expiresAt?.seconds(since: now)
    var table = MemoryTable()
    table.put(record)
    CacheChange([.replaceAccessToken(credential), .removeIfUnchanged(credential)])
      .apply(to: &table)
  case .account(let account):
    _ = account.overlaid(with: account).key.text
    var table = MemoryTable()
    CacheChange([.mergeAccount(account), .mergeAccount(account)]).apply(to: &table)
  case .accountMetadata(var metadata):
    let owner = metadata.homeAccountID ?? ""
    _ = metadata.authority(for: "https://login.example/common", of: owner)
    metadata.signIn(owner, requested: "a", result: "b")
    metadata.signOut(owner)
    require(metadata.state(of: owner) == .signedOut, "who signed out is signed out")
  case .throttle(let throttle):
    let left = throttle.backoffSeconds(at: Clocks(now: now))
    require((0...ThrottleRecord.maximumSeconds).contains(left), "no pause is longer than an hour")
    _ = TesseraError.recordedError(throttle, at: Clocks(now: now)).json
    var table = MemoryTable()
    CacheChange([.throttle(throttle, at: Clocks(now: now))]).apply(to: &table)
  case .legacyAccount(let account): change(account)
  case .legacySources(var sources): _ = sources.recordImport("adal_python", at: now)
  case .signIn(var signIn):
    _ = signIn.sealingKey
    signIn.use("id", until: now.adding(seconds: 60), at: now)
    require(signIn.isCompleted("id"), "what was completed stays so until it expires")
    signIn.release("id")
    require(!signIn.isCompleted("id"), "what was released can be completed")
  case .foreign(let foreign): _ = foreign.entry.record
  case .appMetadata, .discovery: break
  }
}

private func change(_ account: LegacyAccountRecord) {
  _ = (account.items.map(\.members), account.homeAccountIDs)
  var table = MemoryTable()
  CacheChange([
    .legacy(name: account.name, .merge(account.items)),
    .legacy(name: account.name, .signOut(LegacyUser(homeAccountID: nil), clientID: nil)),
  ]).apply(to: &table)
}
