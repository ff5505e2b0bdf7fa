// SPDX-License-Identifier: MIT
// The accounts without sign-in metadata for an application. Their tokens decide whether the application may use them.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The accounts of an account list that the application may use only if it has tokens for them.
///
/// These are accounts without sign-in metadata for the application. Metadata exists for Entra accounts only.
struct AccountsNeedingTokens {
  private let clientID: String
  private var nonEntraAccounts: Set<ExactString> = []
  /// The home account IDs, keyed by their hashes, which are stored in the `owner` column.
  private var entraAccounts: [Int64: String] = [:]
  private var accountsWithMetadata: Set<Int64> = []

  /// Creates an empty collection for an application.
  init(_ clientID: String) { self.clientID = clientID }

  /// Processes a record of the account list.
  ///
  /// - Parameter owner: The hash of the home account ID.
  mutating func add(_ record: CacheRecord, of owner: Int64) {
    switch record {
    case .account(let account) where !account.isEntra:
      nonEntraAccounts.insert(account.homeAccountID)
    case .account(let account):
      if !accountsWithMetadata.contains(owner) { entraAccounts[owner] = account.homeAccountID }
    case .accountMetadata(let metadata) where metadata.clientID == clientID:
      guard let id = metadata.homeAccountID, metadata.state(of: id) != .unknown else { return }
      accountsWithMetadata.insert(owner)
      entraAccounts[owner] = nil
    default: break
    }
  }

  /// The home account IDs of accounts without sign-in metadata for the application.
  var accounts: Set<ExactString> { nonEntraAccounts.union(Set(texts: entraAccounts.values)) }
}
