// SPDX-License-Identifier: MIT
// Which accounts are wanted: by identifier, by name, by their identifier in a tenant, signed in or not.

import TesseraWire

/// A question for accounts; parts that are nil are left open (MSAL: `MSALAccountEnumerationParameters`).
public struct AccountsRequest: Sendable, Hashable {
  /// The identifier that stays the same; without regard to case at Entra, and nowhere else.
  public var homeAccountID: String?
  /// The name the person signs in with, in any tenant and whatever its case.
  public var username: String?
  /// The person's identifier in a tenant: ``TenantProfile/localAccountID``.
  public var localAccountID: String?
  /// The account's ``Account/environment``, or another host of the same cloud.
  public var environment: String?
  /// Whether only accounts are wanted that this application can use.
  ///
  /// Otherwise also those that signed out of it, and those of other applications.
  public var signedInOnly = true
  /// Whether ``Account/claims`` and ``TenantProfile/claims`` are wanted; they take longer to read.
  public var includesClaims = false
  /// Milliseconds to wait for a store that another process holds; nil for ten seconds.
  public var timeoutMilliseconds: Int64?

  /// A question for all accounts.
  public init() {}

  /// A question for the account with an identifier, or with a name if it has none yet.
  init(homeAccountID: String?, username: String?) {
    let isNamed = homeAccountID?.isEmpty ?? true
    self.homeAccountID = isNamed && username != nil ? nil : homeAccountID
    self.username = isNamed ? username : nil
  }

  /// Throws for a part that is there and empty: it would be everybody.
  func check() throws(TesseraError) {
    let parts = [
      ("home_account_id", homeAccountID), ("username", username),
      ("local_account_id", localAccountID), ("environment", environment),
    ]
    for case (let name, let text?) in parts where text.nonBlank == nil {
      throw TesseraError(.fixRequest, .invalidMember, "\(name) is empty.")
    }
  }

  /// Whether an account fits.
  func matches(_ account: Account) -> Bool {
    if let homeAccountID, !account.isNamed(account.homeAccountID, homeAccountID) { return false }
    if let environment, !AccountPerson.sharesCloud(environment, account.environment) {
      return false
    }
    if let username, !account.usernames.contains(username.normalised) { return false }
    guard let localAccountID else { return true }
    return account.tenantProfiles.contains {
      account.isNamed($0.localAccountID, localAccountID)
    }
  }
}

extension Account {
  /// The names the person has, in every tenant, as they are compared.
  var usernames: [String] {
    ([username] + tenantProfiles.map(\.username)).compactMap { $0?.normalised }
  }

  /// Entra's identifiers compare without regard to case, other providers' subjects do not.
  fileprivate func isNamed(_ own: String, _ asked: String) -> Bool {
    isEntra ? own.normalised == asked.normalised : own == asked.trimmed
  }
}
