// SPDX-License-Identifier: MIT
// Copying between stores of different groups, directories or kinds.

import TesseraCache

extension PublicClientApplication {
  /// Copies all accounts and tokens of another application's store into the store of this one.
  ///
  /// Works offline.
  ///
  /// The records of all applications that share the stores are copied. Of two tokens with the same key, the newer one wins.
  /// Nothing is deleted, and the copy is idempotent. Records are stored in batches of 500.
  ///
  /// - Throws: ``TesseraError``: an error of one of the stores. Some records may have been stored already.
  @discardableResult
  public func copy(
    from other: PublicClientApplication, _ request: CopyRequest = CopyRequest()
  ) throws(TesseraError) -> CopyReport {
    let source = try other.everything(request.timeout)
    let target = try everything(request.timeout)
    let plan = CopyPlan(from: source, into: target, of: request.homeAccountID)
    var report = plan.report
    report.isDryRun = request.isDryRun
    guard !request.isDryRun else { return report }
    var steps = plan.change.steps[...]
    while !steps.isEmpty {
      try cache.commitOrThrow(
        CacheChange(Array(steps.prefix(500))), within: limits(request.timeout))
      steps = steps.dropFirst(500)
    }
    return report
  }

  /// Returns all records of the store.
  ///
  /// - Throws: `fixStorage` with code `cache_damaged` if a damaged store has no readable record.
  func everything(_ timeout: Duration?) throws(TesseraError) -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    selection.everything = true
    let snapshot = try cache.snapshot(selection, within: limits(timeout))
    if snapshot.records.isEmpty, case .damaged(let problem) = snapshot.condition {
      throw TesseraError(.fixStorage, .cacheDamaged, problem)
    }
    return snapshot.records
  }
}
