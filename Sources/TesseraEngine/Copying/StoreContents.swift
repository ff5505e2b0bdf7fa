// SPDX-License-Identifier: MIT
// The contents of a store, and their copy from another store.

package import TesseraCache

/// The contents of the store of an application, for copies and documents.
package struct StoreContents {
  private let context: FlowContext
  private let limits: CallLimits

  package init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Copies accounts and tokens of another store.
  func copy(
    from other: StoreContents, _ request: CopyRequest
  ) throws(TesseraError) -> CopyReport {
    let source = try other.everything()
    let target = try everything()
    let plan = CopyPlan(from: source, into: target, of: request.homeAccountID)
    var report = plan.report
    report.isDryRun = request.isDryRun
    guard !request.isDryRun else { return report }
    var steps = plan.change.steps[...]
    while !steps.isEmpty {
      try context.cache.commitOrThrow(CacheChange(Array(steps.prefix(500))), within: limits)
      steps = steps.dropFirst(500)
    }
    return report
  }

  /// Returns all records of the store.
  ///
  /// - Throws: `fixStorage` with code `cache_damaged` if a damaged store has no readable record.
  package func everything() throws(TesseraError) -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    selection.everything = true
    let snapshot = try context.cache.snapshot(selection, within: limits)
    if snapshot.records.isEmpty, case .damaged(let problem) = snapshot.condition {
      throw TesseraError(.fixStorage, .cacheDamaged, problem)
    }
    return snapshot.records
  }
}
