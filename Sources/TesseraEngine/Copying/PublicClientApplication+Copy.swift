// SPDX-License-Identifier: MIT
// Copying between stores: another group, another directory, another kind of store.

import TesseraCache

extension PublicClientApplication {
  /// Copies the accounts and tokens of another application's store into the store of this one; asks no server.
  ///
  /// All applications that share the stores are meant, not these two alone. Of two tokens for the same place the newer one
  /// counts, and nothing is deleted: what is only here stays. Doing it again changes nothing. Some hundreds of records are
  /// stored at a time.
  ///
  /// - Throws: ``TesseraError``: a fault of one of the stores; some records may have been stored already.
  @discardableResult
  public func copy(
    from other: PublicClientApplication, _ request: CopyRequest = CopyRequest()
  ) throws(TesseraError) -> CopyReport {
    let there = try other.everything(request.timeoutMilliseconds)
    let here = try everything(request.timeoutMilliseconds)
    let plan = CopyPlan(from: there, into: here, of: request.homeAccountID)
    var report = plan.report
    report.isDryRun = request.isDryRun
    guard !request.isDryRun else { return report }
    var steps = plan.change.steps[...]
    while !steps.isEmpty {
      try cache.commitOrThrow(
        CacheChange(Array(steps.prefix(500))), within: limits(request.timeoutMilliseconds))
      steps = steps.dropFirst(500)
    }
    return report
  }

  /// All records of the store.
  ///
  /// - Throws: `fixStorage` with code `cache_damaged` where nothing is left of a store that was damaged.
  func everything(_ timeoutMilliseconds: Int64?) throws(TesseraError) -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.everyAccount = true
    selection.everything = true
    let snapshot = try cache.snapshot(selection, within: limits(timeoutMilliseconds))
    if snapshot.records.isEmpty, case .damaged(let problem) = snapshot.condition {
      throw TesseraError(.fixStorage, .cacheDamaged, problem)
    }
    return snapshot.records
  }
}
