// SPDX-License-Identifier: MIT
// Export of this application's sign-ins for applications that still use an older library.

import TesseraCache
import TesseraWire

/// Exports sign-ins for an older library.
struct ExportFlow {
  let application: PublicClientApplication
  let request: ExportRequest
  let limits: CallLimits

  /// Collects the sign-ins.
  ///
  /// Works offline and changes nothing.
  ///
  /// - Throws: `signIn` with code `account_not_found` if there are none.
  func run() throws(TesseraError) -> ExportedSignIns {
    let accounts = try application.accountList(within: limits).accounts.filter { account in
      account.isEntra && !account.homeAccountID.isEmpty
        && (request.homeAccountID.map { $0.normalised == account.homeAccountID.normalised } ?? true)
    }
    let found = ExportedRecords(
      of: accounts, at: application.configuration.clientID,
      in: try snapshot(of: accounts))
    guard !found.tokens.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound,
        "The store does not contain the account for this application: sign in.")
    }
    return try export(found)
  }

  /// Reads the records of all accounts in one snapshot.
  private func snapshot(of accounts: [Account]) throws(TesseraError) -> CacheSnapshot {
    var selection = SnapshotSelection()
    if request.homeAccountID != nil {
      selection.owner = accounts.first?.homeAccountID
    } else {
      selection.allAccounts = true
    }
    selection.keys = Set(accounts.flatMap(SignOutFlow.environments)).sorted().map {
      AppMetadataRecord(
        clientID: application.configuration.clientID, environment: $0, familyID: ""
      ).key
    }
    return try application.cache.snapshot(selection, within: limits)
  }

  private func export(_ found: ExportedRecords) throws(TesseraError) -> ExportedSignIns {
    switch request.format {
    case .appleKeychain:
      let items = KeychainItem.items(of: found.records).map { item in
        ExportedSignIns.Item(
          account: item.account ?? "", service: item.service ?? "", generic: item.generic ?? [],
          type: item.type, value: item.value)
      }
      return ExportedSignIns(
        format: request.format, accountCount: found.accountCount, items: items, data: [])
    case .adalMacOS:
      let items = found.legacyItems
      do throws(LegacyCacheError) {
        let blob = try MacOSCacheWriter.blob(changing: request.data, storing: items)
        return ExportedSignIns(
          format: request.format, accountCount: Set(texts: items.map(\.userID)).count, items: [],
          data: blob)
      } catch {
        throw TesseraError(.fixRequest, .legacyCacheInvalid, error.message)
      }
    }
  }
}

extension PublicClientApplication {
  /// Exports the sign-ins of this application for applications that still use ADAL 2.7 or later.
  ///
  /// ADAL finds them by `userId`, which is ``Account/username``. They contain refresh tokens. Store them only where the
  /// older library reads them and no other user can.
  ///
  /// - Parameters:
  ///   - request: The format and the accounts.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: `signIn` with code `account_not_found` if no account is signed in; `fixRequest` with code
  ///   `legacy_cache_invalid` for an unreadable cache of ADAL for macOS, which is never overwritten.
  public func exportSignIns(
    _ request: ExportRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> ExportedSignIns {
    try exportSignIns(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Exports the sign-ins of this application, within the limits of a call.
  package func exportSignIns(
    _ request: ExportRequest, within limits: CallLimits
  ) throws(TesseraError) -> ExportedSignIns {
    try ExportFlow(application: self, request: request, limits: limits).run()
  }
}
