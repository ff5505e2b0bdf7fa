// SPDX-License-Identifier: MIT
// Taking over an older library's cache: read entry by entry, stored some hundreds at a time, reported account by account.

import TesseraCache
import TesseraWire

/// One call to take a cache over.
struct MigrationFlow {
  let application: PublicClientApplication
  let request: MigrationRequest
  let format: LegacyFormat

  init(
    _ application: PublicClientApplication, _ request: MigrationRequest
  ) throws(TesseraError) {
    self.application = application
    self.request = request
    guard request.data.count <= MigrationRequest.largest else {
      throw MigrationRequest.tooLarge
    }
    if let name = request.format {
      guard let format = LegacyFormat(rawValue: name) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "format must be one of \(MigrationRequest.formats.joined(separator: ", ")).")
      }
      self.format = format
    } else if let format = LegacyFormat.recognised(in: request.data) {
      self.format = format
    } else {
      throw TesseraError(
        .fixRequest, .legacyCacheInvalid,
        """
        This is no cache of a library that is known here: name its format, one of \
        \(MigrationRequest.formats.joined(separator: ", ")).
        """)
    }
  }

  /// Takes it over; what is damaged is reported and stops nothing else.
  func run() throws(TesseraError) -> MigrationReport {
    var state = MigrationState(
      report: MigrationReport(format: format.rawValue, isDryRun: request.isDryRun),
      signedIn: try signedIn(), clientID: application.configuration.clientID,
      hosts: application.entraHosts)
    var failure: TesseraError?
    do throws(LegacyDamage) {
      try format.read(request.data) { entry in
        guard failure == nil else { return }
        state.meet(entry)
        guard state.isFull else { return }
        do throws(TesseraError) { try store(&state) } catch { failure = error }
      }
    } catch {
      // Nothing was read at all: that is no cache of this format.
      guard !state.isUntouched else {
        throw TesseraError(.fixRequest, .legacyCacheInvalid, error.message)
      }
      state.meet(.damaged(error))
    }
    // However the reading ended: what was not stored is not reported as stored.
    if let failure { throw failure }
    try store(&state)
    return state.finished
  }

  /// Whom the application has signed in itself.
  private func signedIn() throws(TesseraError) -> MigrationState.SignedIn {
    let limits = application.limits(request.timeoutMilliseconds)
    var selection = SnapshotSelection()
    selection.everyAccount = true
    return MigrationState.SignedIn(try application.cache.snapshot(selection, within: limits))
  }

  private func store(_ state: inout MigrationState) throws(TesseraError) {
    for batch in state.takeWaiting() { try store(batch, &state) }
  }

  private func store(
    _ batch: [LegacyItem], _ state: inout MigrationState
  ) throws(TesseraError) {
    let limits = application.limits(request.timeoutMilliseconds)
    var selection = SnapshotSelection()
    selection.keys = state.keys(batch)
    let snapshot = try application.cache.snapshot(selection, within: limits)
    var change = state.change(batch, over: snapshot)
    guard !request.isDryRun, !change.steps.isEmpty else { return }
    change.steps.append(.noteSource(format, at: application.surroundings.time.clocks.now))
    try application.cache.commitOrThrow(change, within: limits)
  }
}

extension MigrationRequest {
  /// The formats that are known.
  public static var formats: [String] { LegacyFormat.allCases.map(\.rawValue) }

  /// What is said of a cache that is too large.
  package static var tooLarge: TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "The cache has more than \(largest >> 20) MB: take it over in parts.")
  }
}

extension PublicClientApplication {
  /// Takes over the sign-ins in the cache of an older library: of ADAL for Apple, .NET, Python and Node, of the Azure CLI
  /// before 2.30, and of older versions of MSAL.
  ///
  /// No server is asked: the refresh tokens are stored, for every application that they are of, and redeemed by the first
  /// silent call for their account. The cache itself stays as it is. Doing it again changes nothing.
  ///
  /// - Throws: ``TesseraError``: `fixRequest` with code `legacy_cache_invalid` for data that is no such cache;
  ///   `fixStorage` or `retryLater` when the store could not be written, then some accounts may have been stored already.
  public func migrate(_ request: MigrationRequest) throws(TesseraError) -> MigrationReport {
    try MigrationFlow(self, request).run()
  }
}
