// SPDX-License-Identifier: MIT
// Migration of an older library's cache: read entry by entry, stored in batches, reported by account.

import TesseraCache
package import TesseraEngine
import TesseraWire

/// Migrates the cache of an older library.
struct MigrationFlow {
  let context: FlowContext
  let request: MigrationRequest
  let format: LegacyFormat
  let limits: CallLimits

  init(
    _ context: FlowContext, _ request: MigrationRequest, within limits: CallLimits
  ) throws(TesseraError) {
    self.context = context
    self.request = request
    self.limits = limits
    guard request.data.count <= MigrationRequest.largest else {
      throw MigrationRequest.tooLarge
    }
    guard let format = request.format ?? LegacyFormat.detectedFormat(in: request.data) else {
      throw TesseraError(
        .fixRequest, .legacyCacheInvalid,
        """
        The data is not a supported cache of an older library: specify format, one of \
        \(LegacyFormat.allCases.map(\.rawValue).joined(separator: ", ")).
        """)
    }
    self.format = format
  }

  /// Migrates the cache.
  ///
  /// Damaged entries are reported and do not stop the migration.
  ///
  /// - Throws: `fixRequest` for data of another format; a storage error.
  func run() throws(TesseraError) -> MigrationReport {
    var state = MigrationState(
      report: MigrationReport(format: format, isDryRun: request.isDryRun),
      signedIn: try signedIn(), clientID: context.configuration.clientID,
      hosts: context.entraHosts)
    var failure: TesseraError?
    do throws(LegacyCacheError) {
      try format.read(request.data) { entry in
        guard failure == nil else { return }
        state.add(entry)
        guard state.isFull else { return }
        do throws(TesseraError) { try store(&state) } catch { failure = error }
      }
    } catch {
      // The first entry could not be read, so the data is not a cache of this format.
      guard !state.isEmpty else {
        throw TesseraError(.fixRequest, .legacyCacheInvalid, error.message)
      }
      state.add(.damaged(error))
    }
    // An entry that could not be stored must not be reported as migrated, even if the parser failed too.
    if let failure { throw failure }
    try store(&state)
    return state.finished
  }

  /// Reads the accounts that the application has signed in.
  private func signedIn() throws(TesseraError) -> MigrationState.SignedInAccounts {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    return MigrationState.SignedInAccounts(
      try context.cache.snapshot(selection, within: limits))
  }

  private func store(_ state: inout MigrationState) throws(TesseraError) {
    for batch in state.removePendingBatches() {
      guard let outcome = try store(batch) else { continue }
      state.record(outcome, of: batch)
    }
  }

  /// Stores a batch, and returns the outcome determined inside the transaction.
  ///
  /// A dry run, or a batch without new tokens and records, is merged with a snapshot only.
  private func store(_ batch: MigrationBatch) throws(TesseraError) -> MigrationOutcome? {
    var selection = SnapshotSelection()
    selection.keys = batch.keys
    var table = MemoryTable()
    for record in try context.cache.snapshot(selection, within: limits).records {
      table.put(record)
    }
    let expected = MigrationOutcome(batch.apply(to: &table))
    guard !request.isDryRun, expected?.isChange == true else { return expected }
    let now = context.dependencies.time.clocks.now
    let change = CacheChange([.feature(batch), .recordImport(format.rawValue, at: now)])
    return MigrationOutcome(try context.cache.commitOrThrow(change, within: limits))
  }
}

extension MigrationRequest {
  /// The error for a cache that exceeds the size limit.
  package static var tooLarge: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "The cache is larger than \(largest >> 20) MB: migrate it in parts.")
  }
}
