// SPDX-License-Identifier: MIT
// A filter for accounts, by identifier, user name, tenant identifier and sign-in state.

import TesseraWire

/// A filter for accounts.
///
/// Properties that are `nil` match any account (MSAL: `MSALAccountEnumerationParameters`).
public struct AccountsRequest: Sendable, Hashable {
  /// The ``Account/homeAccountID``; compared case-insensitively at Entra only.
  public var homeAccountID: String?
  /// The user name, in any tenant.
  ///
  /// The comparison ignores case.
  public var username: String?
  /// The identifier of the account in a tenant: ``TenantProfile/localAccountID``.
  public var localAccountID: String?
  /// The account's ``Account/environment``, or another host of the same cloud.
  public var environment: String?
  /// Whether to return only accounts with tokens that this application can use.
  ///
  /// If `false`, signed-out accounts and those of other applications are also returned.
  public var signedInOnly = true
  /// Whether to read ``Account/claims`` and ``TenantProfile/claims``, which takes longer.
  public var includesClaims = false
  /// The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  public var timeout: Duration?

  /// Creates a filter, by default one that matches all accounts.
  public init(
    homeAccountID: String? = nil, username: String? = nil, localAccountID: String? = nil,
    environment: String? = nil, signedInOnly: Bool = true, includesClaims: Bool = false,
    timeout: Duration? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.localAccountID = localAccountID
    self.environment = environment
    self.signedInOnly = signedInOnly
    self.includesClaims = includesClaims
    self.timeout = timeout
  }

  /// Creates a filter for an identifier, or for a user name if the identifier is empty.
  init(named homeAccountID: String?, or username: String?) {
    let isNamed = homeAccountID?.isEmpty ?? true
    self.init(
      homeAccountID: isNamed && username != nil ? nil : homeAccountID,
      username: isNamed ? username : nil)
  }

  /// Checks that no member is empty, because an empty member would match every account.
  func check() throws(TesseraError) {
    let parts = [
      ("home_account_id", homeAccountID), ("username", username),
      ("local_account_id", localAccountID), ("environment", environment),
    ]
    for case (let name, let text?) in parts where text.nonBlank == nil {
      throw TesseraError(
        .fixRequest, .invalidMember, "\(name) is empty: specify a value or remove it.")
    }
  }

  /// Whether an account matches.
  func matches(_ account: Account) -> Bool {
    if let homeAccountID, !account.isNamed(account.homeAccountID, homeAccountID) { return false }
    if let environment, !AccountKey.isSameCloud(environment, account.environment) {
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
  /// Compares identifiers: case-insensitively at Entra, exactly for the subjects of other providers.
  fileprivate func isNamed(_ own: String, _ requested: String) -> Bool {
    isEntra ? own.normalised == requested.normalised : own == requested.trimmed
  }
}
