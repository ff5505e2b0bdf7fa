// SPDX-License-Identifier: MIT
// Application of changes to the accounts that were imported from older libraries.

import TesseraWire

extension CacheChange {
  /// The keys of the imported accounts that upgrades depend on.
  ///
  /// Without these records, the upgrades do nothing.
  package var legacyKeys: [RecordKey] {
    steps.compactMap { step in
      guard case .upgrade(let name, _, _, _, _) = step else { return nil }
      return LegacyAccountRecord.key(of: name)
    }
  }
}

extension CacheTable {
  mutating func changeLegacy(
    _ name: String, _ change: LegacyAccountRecord.Change
  ) throws(Failure) {
    let stored = try legacyAccount(name)
    if let changed = change.applied(to: stored, named: name) { try put(.legacyAccount(changed)) }
  }

  mutating func recordImport(_ format: String, at now: Instant) throws(Failure) {
    var sources = LegacySourcesRecord()
    if case .legacySources(let stored)? = try record(at: LegacySourcesRecord.key) {
      sources = stored
    }
    if sources.recordImport(format, at: now) { try put(.legacySources(sources)) }
  }

  /// Stores the result of redeeming an imported token, if the token still exists.
  mutating func upgrade(
    _ name: String, _ token: Secret, to homeAccountID: String, _ steps: [CacheChange.Step],
    replacing replaced: Set<Secret>
  ) throws(Failure) -> CommitOutcome {
    let items = try legacyAccount(name)?.items ?? []
    guard items.contains(where: { $0.refreshToken == token }) else {
      return .superseded(.importedToken)
    }
    try CacheChange(try upgrading(steps, replaced)).apply(to: &self)
    let isReplaced = steps.contains { step in
      guard case .put(.credential(let new)) = step else { return false }
      return new.type.isRefreshToken && new.secret != token
    }
    try changeLegacy(
      name, .identify(token, homeAccountID: homeAccountID, isReplaced ? .replaced : .kept))
    return .applied
  }

  /// Stores a record if its key is not in use.
  mutating func add(_ record: CacheRecord) throws(Failure) {
    if try self.record(at: record.key) == nil { try put(record) }
  }

  /// Returns the steps to apply.
  ///
  /// A refresh token is omitted if another process stored a different one in the meantime.
  private func upgrading(
    _ steps: [CacheChange.Step], _ replaced: Set<Secret>
  ) throws(Failure) -> [CacheChange.Step] {
    var wanted: [CacheChange.Step] = []
    for step in steps {
      if case .put(.credential(let token)) = step, token.type.isRefreshToken,
        case .credential(let stored)? = try record(at: token.key),
        !replaced.contains(stored.secret)
      {
        continue
      }
      wanted.append(step)
    }
    return wanted
  }

  package func legacyAccount(_ name: String) throws(Failure) -> LegacyAccountRecord? {
    guard case .legacyAccount(let stored)? = try record(at: LegacyAccountRecord.key(of: name))
    else { return nil }
    return stored
  }
}
