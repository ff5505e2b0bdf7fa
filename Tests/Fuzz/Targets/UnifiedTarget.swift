// SPDX-License-Identifier: MIT
// The cache file shared with MSAL, which other libraries may have written.

import TesseraCache
import TesseraMSALFile
import TesseraWire

/// Fuzzes a document.
///
/// The first byte selects the change.
func fuzzUnified(_ input: FuzzInput) {
  var cache: UnifiedCache
  do throws(UnifiedCacheError) {
    cache = try UnifiedCache(input.bytes)
  } catch {
    return require(!error.reason.isEmpty, "damage has a message")
  }
  require(cache.bytes() == input.bytes, "what is not changed is copied")
  let records = cache.everything()
  var ownedKeys: [String: Set<RecordKey>] = [:]
  for record in records {
    // A lookup of a foreign entry scans the whole document.
    if record.owner != ForeignRecord.owner || record == records.last {
      require(cache.record(at: record.key) != nil, "what is listed is found")
    }
    guard let owner = record.owner else { continue }
    if ownedKeys[owner] == nil { ownedKeys[owner] = keys(of: owner, in: cache) }
    require(ownedKeys[owner]?.contains(record.key) == true, "what is listed is found by its owner")
    guard records.count < 20, let token = record.accessToken,
      let scope = token.scopes.significant.first?.text
    else { continue }
    let found = cache.accessTokens(of: owner, having: scope)
    require(found.contains { $0.key == token.key }, "a token is found by its scope")
  }
  switch input.choice % 3 {
  case 0: cache.put(.credential(token))
  case 1: for record in records { cache.put(record) }
  default: for record in records { cache.remove(record.key) }
  }
  check(cache, input.choice % 3 == 2 ? [] : records)
}

/// Returns the keys of all records of an owner.
private func keys(of owner: String, in cache: UnifiedCache) -> Set<RecordKey> {
  Set(
    cache.records(of: owner).map(\.key)
      + cache.accessTokens(of: owner, having: nil).map(\.key))
}

/// Checks that a written document can be parsed and has all records.
private func check(_ cache: UnifiedCache, _ records: [CacheRecord]) {
  var cache = cache
  let bytes = cache.bytes()
  guard let again = try? UnifiedCache(bytes) else {
    return require(false, "what was written is read")
  }
  checkNext(cache, again)
  let keys = Set(again.everything().map(\.key))
  require(records.allSatisfy { keys.contains($0.key) }, "no record is lost")
  require(Set(cache.everything().map(\.key)) == keys, "what was written is what there is")
}

/// Checks that a document parses to the same records with any previous document as a hint.
private func checkNext(_ old: UnifiedCache, _ new: UnifiedCache) {
  var bare = UnifiedCache()
  bare.put(.credential(token))
  for older in [old, bare] {
    var copy = new
    guard let next = try? UnifiedCache(copy.bytes(), after: older) else {
      return require(false, "what is read alone is read after another one")
    }
    require(
      Set(next.everything().map(\.key)) == Set(new.everything().map(\.key)), "the same is in it")
    require(
      next.accessTokens(of: "fuzz", having: "a") == new.accessTokens(of: "fuzz", having: "a"),
      "the same is found in it")
  }
}

private let token: CredentialRecord = {
  var token = CredentialRecord(type: .accessToken, secret: Secret("new"))
  token.homeAccountID = "fuzz"
  token.environment = "e"
  token.clientID = "c"
  token.realm = "r"
  token.target = "b a"
  token.expiresAt = Instant(secondsSince1970: 5)
  return token
}()
