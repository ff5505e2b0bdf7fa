// SPDX-License-Identifier: MIT
// The local machines, applications and folders that the expectations share.

import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// The folder of all files that the program creates.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "tessera-public-interface-\(getpid())"
).path

/// Creates the folder, and redirects everything there that depends on the user.
func prepareFolder() throws {
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
    setenv(name, folder, 1)
  }
  for name in ["AZURE_CONFIG_DIR", "AZURE_ACCESS_TOKEN_FILE"] { unsetenv(name) }
  setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
}

/// Removes the folder.
func removeFolder() throws {
  try FileManager.default.removeItem(atPath: folder)
}

extension LocalMachine {
  /// Returns an application for Entra ID.
  func entraApplication(
    client: String = "client", change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = provider.entraAuthority()
    configuration.authorityType = .entra
    change(&configuration)
    return try application(configuration)
  }

  /// Returns an application for the issuer `main`.
  func issuerApplication(client: String = "client") throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = provider.issuer("main")
    return try application(configuration)
  }
}

extension PublicClientApplication {
  /// Signs the user of the local browser in.
  func signIn(scopes: [String] = ["read"]) throws -> TokenResult {
    try acquireTokenInteractive(InteractiveRequest(scopes: scopes), cancellation: nil)
  }

  /// Returns a token for an account.
  func silentToken(_ account: Account, scopes: [String] = ["read"]) throws -> TokenResult {
    try acquireTokenSilent(SilentRequest(account: account, scopes: scopes), cancellation: nil)
  }
}

/// The cache of another library: an account of the global service and an access token that is valid for an hour.
func unifiedCache(at seconds: Int64) -> String {
  """
  {"Account": {"1": {"home_account_id": "uid.utid", "environment": "login.microsoftonline.com", \
  "realm": "utid", "local_account_id": "uid", "username": "alice@contoso.com", \
  "authority_type": "MSSTS"}}, \
  "AccessToken": {"1": {"credential_type": "AccessToken", "secret": "the-token", \
  "home_account_id": "uid.utid", "environment": "login.microsoftonline.com", \
  "client_id": "client", "realm": "utid", "target": "read", \
  "cached_at": "\(seconds)", "expires_on": "\(seconds + 3600)"}}}
  """
}

/// The account in ``unifiedCache(at:)``.
let cachedAccount = Account(
  homeAccountID: "uid.utid", environment: "login.microsoftonline.com",
  username: "alice@contoso.com")

/// Returns the JSON object in a document.
func object(_ document: String) throws -> TokenClaims {
  expectValue(TokenClaims(json: document))
}
