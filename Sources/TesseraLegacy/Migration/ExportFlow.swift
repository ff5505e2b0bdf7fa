// SPDX-License-Identifier: MIT
// Export of this application's sign-ins for applications that still use an older library.

import TesseraCache
import TesseraEngine
import TesseraWire

/// Exports sign-ins for an older library.
struct ExportFlow {
  let context: FlowContext
  let request: ExportRequest
  let limits: CallLimits

  /// Collects the sign-ins.
  ///
  /// Works offline and changes nothing.
  ///
  /// - Throws: `signIn` with code `account_not_found` if there are none.
  func run() throws(TesseraError) -> ExportedSignIns {
    let accounts = try AccountDirectory(context, within: limits).list().accounts.filter { account in
      account.isEntra && !account.homeAccountID.isEmpty
        && (request.homeAccountID.map { $0.normalised == account.homeAccountID.normalised } ?? true)
    }
    let found = ExportedRecords(
      of: accounts, at: context.configuration.clientID,
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
    selection.keys = Set(accounts.flatMap(\.storedEnvironments)).sorted().map {
      AppMetadataRecord(
        clientID: context.configuration.clientID, environment: $0, familyID: ""
      ).key
    }
    return try context.cache.snapshot(selection, within: limits)
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
