// SPDX-License-Identifier: MIT
// The contents of a store: copied from another store, read and written as the JSON document of MSAL libraries.

import TesseraCache

/// The contents of the store of an application, for copies and documents.
struct StoreContents {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
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

  /// Returns the whole store as a document.
  func document() throws(TesseraError) -> String {
    try context.dependencies.documents.document(of: try everything())
  }

  /// Writes the differences between two documents.
  func write(
    before: String, after: String
  ) throws(TesseraError) -> CacheWriteReport {
    let edits = try context.dependencies.documents.edits(from: before, to: after)
    let removed = edits.count { if case .remove = $0 { true } else { false } }
    if !edits.isEmpty {
      try context.cache.commitOrThrow(CacheChange([.exchange(edits)]), within: limits)
    }
    return CacheWriteReport(stored: edits.count - removed, removed: removed)
  }

  /// Returns all records of the store.
  ///
  /// - Throws: `fixStorage` with code `cache_damaged` if a damaged store has no readable record.
  private func everything() throws(TesseraError) -> [CacheRecord] {
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
