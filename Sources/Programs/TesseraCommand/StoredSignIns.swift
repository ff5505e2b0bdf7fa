// SPDX-License-Identifier: MIT
// The sign-ins of a store: the accounts of each application, with the expiry of their tokens.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sign-in of an account to an application.
struct StoredSignIn {
  let account: Account
  /// The client ID of the application.
  let clientID: String
  /// The latest expiry time of its access tokens; nil without one.
  let expiresAt: Date?
  /// Whether the application can get further tokens with a refresh token.
  let isRefreshable: Bool

  /// Returns the sign-ins of accounts, in the order of the accounts.
  ///
  /// - Parameter clientID: The only application to return; nil for all.
  static func all(
    of accounts: [Account], in application: PublicClientApplication, clientID: String?
  ) throws(TesseraError) -> [StoredSignIn] {
    var signIns: [StoredSignIn] = []
    for account in accounts {
      let tokens = try candidates(of: account, application)
      var clients: [String] = []
      for token in tokens where !clients.contains(token.clientID) {
        clients.append(token.clientID)
      }
      for client in clients where clientID == nil || client == clientID {
        let own = tokens.filter { $0.clientID == client }
        signIns.append(
          StoredSignIn(
            account: account, clientID: client,
            expiresAt: own.filter { $0.tenantID != nil }.compactMap(\.expiresAt).max(),
            isRefreshable: own.contains { $0.tenantID == nil }))
      }
      // The refresh token of a client family may belong to another application.
      if let clientID, !clients.contains(clientID) {
        signIns.append(
          StoredSignIn(
            account: account, clientID: clientID, expiresAt: nil,
            isRefreshable: tokens.contains { $0.tenantID == nil }))
      }
    }
    return signIns
  }

  /// Returns all tokens of an account in the store.
  private static func candidates(
    of account: Account, _ application: PublicClientApplication
  ) throws(TesseraError) -> [TokenCandidate] {
    guard !account.homeAccountID.isEmpty else { return [] }
    let request = SilentRequest(account: account, scopes: ["User.Read"])
    return try application.explain(request).candidates.filter {
      !$0.obstacles.contains(.otherAccount)
    }
  }

  /// The validity of the tokens, for a table.
  var validity: String {
    if let expiresAt, expiresAt > .now { return "valid for \(Output.duration(until: expiresAt))" }
    return isRefreshable ? "refreshable" : "expired"
  }

  /// The tenant of the account, or the issuer of a provider without tenants.
  var provider: String {
    let tenant = account.tenantProfiles.first?.tenantID ?? ""
    return tenant.isEmpty ? account.environment : tenant
  }

  /// The document of the sign-in.
  ///
  /// - Parameter isDefault: Whether it is the default account of the profile.
  func document(isDefault: Bool) -> JSONText {
    .object([
      "home_account_id": .string(account.homeAccountID), "client_id": .string(clientID),
      "environment": .string(account.environment),
      "expires_on": expiresAt.map { .number($0.secondsSince1970) },
      "refreshable": .bool(isRefreshable), "default": .bool(isDefault),
    ])
  }
}
