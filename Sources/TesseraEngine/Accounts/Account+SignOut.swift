// SPDX-License-Identifier: MIT
// The records of an account that a sign-out removes.

import TesseraCache
import TesseraWire

extension CacheChange.SignOut {
  /// Creates the removal of an account from one application, or from all applications if `clientID` is `nil`.
  init(of account: Account, at clientID: String?, legacyNames: Set<ExactString>) {
    self.init(
      homeAccountID: account.homeAccountID, clientID: clientID,
      environments: account.storedEnvironments, isEntra: account.isEntra)
    self.legacyNames = legacyNames
    legacyIdentity = account.legacyIdentity
    legacyObjectIDs = account.objectIDs
  }
}

extension Account {
  /// The normalized user names of the account in all tenants.
  var usernames: [String] {
    ([username] + tenantProfiles.map(\.username)).compactMap { $0?.normalised }
  }

  /// The hosts under which records of the account are stored.
  var storedEnvironments: [String] {
    let cloud = CloudTable.cloud(of: environment)
    return cloud.map { $0.aliases + [$0.preferredCache] } ?? [environment]
  }

  /// The key that distinguishes accounts without an identifier that have the same name; `nil` if there is none.
  var legacyIdentity: String? {
    guard homeAccountID.isEmpty, let profile = tenantProfiles.first else { return nil }
    return "\(profile.localAccountID).\(profile.tenantID)".normalised
  }
}
