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
  /// - Parameters:
  ///   - other: The application whose store is the source.
  ///   - request: The accounts to copy.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: an error of one of the stores. Some records may have been stored already.
  @discardableResult
  public func copy(
    from other: PublicClientApplication, _ request: CopyRequest = CopyRequest(),
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CopyReport {
    try copy(from: other, request, within: startedLimits(request.timeout, cancellation))
  }

  /// Copies all accounts and tokens of another application's store, within the limits of a call.
  package func copy(
    from other: PublicClientApplication, _ request: CopyRequest, within limits: CallLimits
  ) throws(TesseraError) -> CopyReport {
    let source = try other.everything(within: limits)
    let target = try everything(within: limits)
    let plan = CopyPlan(from: source, into: target, of: request.homeAccountID)
    var report = plan.report
    report.isDryRun = request.isDryRun
    guard !request.isDryRun else { return report }
    var steps = plan.change.steps[...]
    while !steps.isEmpty {
      try cache.commitOrThrow(CacheChange(Array(steps.prefix(500))), within: limits)
      steps = steps.dropFirst(500)
    }
    return report
  }

  /// Returns all records of the store.
  ///
  /// - Throws: `fixStorage` with code `cache_damaged` if a damaged store has no readable record.
  func everything(within limits: CallLimits) throws(TesseraError) -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    selection.everything = true
    let snapshot = try cache.snapshot(selection, within: limits)
    if snapshot.records.isEmpty, case .damaged(let problem) = snapshot.condition {
      throw TesseraError(.fixStorage, .cacheDamaged, problem)
    }
    return snapshot.records
  }
}
