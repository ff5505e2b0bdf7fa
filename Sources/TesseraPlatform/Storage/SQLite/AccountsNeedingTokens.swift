// SPDX-License-Identifier: MIT
// People of whom an application remembers neither signing in nor signing out: their tokens say whether it may use them.

import TesseraCache
import TesseraEngine

/// People whose sign-in an application does not remember, as it does at Entra only; told while all accounts go by.
struct AccountsNeedingTokens {
  private let clientID: String
  private var elsewhere: Set<String> = []
  /// By the hashes of their home account ids, which their rows have.
  private var people: [Int64: String] = [:]
  private var decided: Set<Int64> = []

  /// Nobody yet, of an application.
  init(_ clientID: String) { self.clientID = clientID }

  /// Looks at a record of somebody.
  mutating func meet(_ record: CacheRecord, of owner: Int64) {
    switch record {
    case .account(let account) where !account.isEntra: elsewhere.insert(account.homeAccountID)
    case .account(let account):
      if !decided.contains(owner) { people[owner] = account.homeAccountID }
    case .accountMetadata(let metadata) where metadata.clientID == clientID:
      guard let id = metadata.homeAccountID, metadata.state(of: id) != .unknown else { return }
      decided.insert(owner)
      people[owner] = nil
    default: break
    }
  }

  /// Those with an account of whom nothing is remembered.
  var accounts: Set<String> { elsewhere.union(people.values) }
}
