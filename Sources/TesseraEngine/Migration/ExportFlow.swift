// SPDX-License-Identifier: MIT
// The other direction: what this application signed in, as programs find it that still use an older library.

import TesseraCache
import TesseraWire

/// One call to hand sign-ins to an older library.
struct ExportFlow {
  let application: PublicClientApplication
  let request: ExportRequest

  /// Collects them; nothing is changed, and no server is asked.
  func run() throws(TesseraError) -> ExportedSignIns {
    let limits = application.limits(request.timeoutMilliseconds)
    let accounts = try application.accountsAnswer(within: limits).accounts.filter { account in
      account.isEntra && !account.homeAccountID.isEmpty
        && (request.homeAccountID.map { $0.normalised == account.homeAccountID.normalised } ?? true)
    }
    var records: [CacheRecord] = []
    for account in accounts {
      var selection = SnapshotSelection()
      selection.owner = account.homeAccountID
      selection.keys = SignOutFlow.environments(of: account).map {
        AppMetadataRecord(
          clientID: application.configuration.clientID, environment: $0, familyID: ""
        ).key
      }
      let snapshot = try application.cache.snapshot(selection, within: limits)
      records += snapshot.records.filter { isWanted($0, snapshot) && !records.contains($0) }
    }
    let tokens = records.compactMap(\.refreshToken)
    guard !tokens.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound, "This application has no such account: sign in first.")
    }
    return try answer(records, tokens, Set(tokens.map(\.homeAccountID)).count)
  }

  private func answer(
    _ records: [CacheRecord], _ tokens: [CredentialRecord], _ count: Int
  ) throws(TesseraError) -> ExportedSignIns {
    switch request.format {
    case .appleKeychain:
      let items = KeychainItem.items(of: records).map { item in
        ExportedSignIns.Item(
          account: item.account ?? "", service: item.service ?? "", generic: item.generic ?? [],
          type: item.type, value: item.value)
      }
      return ExportedSignIns(
        format: request.format, accountCount: count, items: items, data: [])
    case .adalMacOS:
      do throws(LegacyDamage) {
        let blob = try MacOSCacheWriter.blob(
          changing: request.data, putting: tokens.compactMap { legacyItem($0, records) })
        return ExportedSignIns(
          format: request.format, accountCount: count, items: [], data: blob)
      } catch {
        throw TesseraError(.fixRequest, .legacyCacheInvalid, error.message)
      }
    }
  }

  /// Whether an older library reads a record: refresh tokens of the application and of its family, whose they are, and what the server said of the family.
  ///
  /// Access tokens are of no use to it.
  private func isWanted(_ record: CacheRecord, _ snapshot: CacheSnapshot) -> Bool {
    let clientID = application.configuration.clientID.normalised
    switch record {
    case .account, .appMetadata: return true
    case .credential(let token):
      guard token.type == .refreshToken else { return false }
      guard let family = token.familyID else { return token.clientID.normalised == clientID }
      return family.normalised == snapshot.familyID(of: clientID)?.normalised
    default: return false
    }
  }

  /// A refresh token as ADAL keeps it; nil for one of somebody without a name, whom ADAL could not find.
  private func legacyItem(
    _ token: CredentialRecord, _ records: [CacheRecord]
  ) -> LegacyItem? {
    for case .account(let account) in records where account.homeAccountID == token.homeAccountID {
      guard let name = account.username?.nonBlank else { continue }
      var item = LegacyItem(
        environment: token.environment, realm: "common",
        clientID: token.familyID.map(LegacyItem.clientID) ?? token.clientID, userID: name)
      item.refreshToken = token.secret
      item.familyID = token.familyID
      item.homeAccountID = token.homeAccountID
      var claims: JSONObject = ["upn": .string(name), "tid": .string(account.realm)]
      claims.append("oid", account.localAccountID)
      claims.append("name", account.name)
      item.claims = IDTokenClaims(members: claims)
      return item
    }
    return nil
  }
}

extension CacheRecord {
  fileprivate var refreshToken: CredentialRecord? {
    guard case .credential(let token) = self, token.type == .refreshToken else { return nil }
    return token
  }
}

extension PublicClientApplication {
  /// The sign-ins of this application as programs find them that still use ADAL 2.7 or later, by `userId`, which is
  /// ``Account/username``.
  ///
  /// They hold refresh tokens. Put them only where the older library looks, and where nobody else can read them.
  ///
  /// - Throws: ``TesseraError``: `signIn` with code `account_not_found` when nobody is signed in; `fixRequest` with code
  ///   `legacy_cache_invalid` for a cache of ADAL for macOS that can't be read, which is never written over.
  public func exportSignIns(_ request: ExportRequest) throws(TesseraError) -> ExportedSignIns {
    try ExportFlow(application: self, request: request).run()
  }
}
