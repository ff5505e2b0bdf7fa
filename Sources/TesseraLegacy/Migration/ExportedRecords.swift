// SPDX-License-Identifier: MIT
// The records to export to an older library, and their conversion to items of ADAL.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The records of some accounts that an older library can use.
///
/// They are the refresh tokens of the application and its family, their accounts, and the app metadata. Access tokens are
/// not exported.
struct ExportedRecords {
  private(set) var records: [CacheRecord] = []
  /// The refresh tokens among the records.
  private(set) var tokens: [CredentialRecord] = []
  /// The account records with a user name, the most complete one for each account.
  private var profiles: [AccountKey: AccountRecord] = [:]

  /// Selects the records of accounts from a snapshot, which may contain records of other accounts.
  init(of accounts: [Account], at clientID: String, in snapshot: CacheSnapshot) {
    let accountKeys = Set(
      accounts.map { ExportedRecords.accountKey($0.homeAccountID, $0.environment) })
    let clientID = clientID.normalised
    let families = ApplicationFamilies(of: clientID, in: snapshot)
    var seen: Set<RecordKey> = []
    for record in snapshot.records {
      switch record {
      case .account(let account):
        let accountKey = ExportedRecords.accountKey(account.homeAccountID, account.environment)
        guard accountKeys.contains(accountKey) else { continue }
        addProfile(account, of: accountKey)
      case .appMetadata(let metadata):
        guard metadata.clientID.normalised == clientID else { continue }
      case .credential(let token):
        let accountKey = ExportedRecords.accountKey(token.homeAccountID, token.environment)
        // The older library would send a token that a refused response replaced.
        guard token.type == .refreshToken, !token.isSuperseded, accountKeys.contains(accountKey)
        else { continue }
        let own = families.family(in: accountKey.environment)
        let isUsable =
          token.familyID.map { $0.normalised == own?.normalised }
          ?? (token.clientID.normalised == clientID)
        guard isUsable else { continue }
        if !seen.contains(record.key) { tokens.append(token) }
      default: continue
      }
      if seen.insert(record.key).inserted { records.append(record) }
    }
  }

  /// The number of accounts of the refresh tokens.
  var accountCount: Int {
    Set(tokens.map { ExportedRecords.accountKey($0.homeAccountID, $0.environment) }).count
  }

  /// The refresh tokens as ADAL items.
  ///
  /// Tokens of accounts without a user name are omitted, because ADAL could not find them.
  var legacyItems: [LegacyItem] { tokens.compactMap(legacyItem) }

  private static func accountKey(_ homeAccountID: String, _ environment: String) -> AccountKey {
    AccountKey(homeAccountID.normalised, environment.normalised)
  }

  /// Prefers the name and the tenant of the home account over those of a guest, as in ``AccountList``.
  private mutating func addProfile(_ account: AccountRecord, of accountKey: AccountKey) {
    guard account.username?.nonBlank != nil else { return }
    if let known = profiles[accountKey],
      known.isHome || !account.isHome && known.realm <= account.realm
    {
      return
    }
    profiles[accountKey] = account
  }

  private func legacyItem(_ token: CredentialRecord) -> LegacyItem? {
    let accountKey = ExportedRecords.accountKey(token.homeAccountID, token.environment)
    guard let account = profiles[accountKey], let name = account.username?.nonBlank else {
      return nil
    }
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
}
