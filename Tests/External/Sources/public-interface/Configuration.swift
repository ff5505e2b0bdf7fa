// SPDX-License-Identifier: MIT
// The configuration of an application, known caches and redirect schemes.

import Synchronization
import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// Checks a configuration, and the requests that follow from it.
func checkConfiguration() throws {
  let machine = LocalMachine()
  let lines = Mutex<[(TesseraLog.Level, String)]>([])
  let application = try machine.entraApplication { configuration in
    configuration.clientCapabilities = ["CP1"]
    configuration.redirectURI = "http://localhost/signed-in"
    configuration.requestsRefreshToken = true
    configuration.offlineAccessPrompt = OfflineAccessPrompt.consent
    configuration.userMessages = [.signedInTitle: "Done"]
    configuration.log = TesseraLog(level: .detail) { level, line in
      lines.withLock { $0.append((level, line)) }
    }
  }
  let configuration: ApplicationConfiguration = application.configuration
  expect(configuration.clientID, "client")
  expect(configuration.authorityType, AuthorityType.entra)
  expect(configuration.broker, BrokerPolicy.never)
  expect(configuration.userMessages[UserMessage.signedInTitle], "Done")
  expect(configuration.networkTimeout > .zero)
  let account = try application.signIn().account
  expect(try application.silentToken(account).source, .cache)
  let levels = Set(lines.withLock { $0.map(\.0) })
  expect(levels.contains(TesseraLog.Level.information))
  expect(TesseraLog.Level.error < TesseraLog.Level.detail)
  expect(lines.withLock { $0.contains { $0.1.contains(account.username ?? "-") } }, false)
  let error = expectError(.invalidAuthority) {
    _ = try machine.entraApplication { $0.authority = "http://login.example" }
  }
  expect(error.remedy, .fixConfiguration)
}

/// Checks the names of clouds, audiences, authorities and messages.
func checkAuthorities() throws {
  let worldwide = try ApplicationConfiguration.authority(cloud: EntraCloud.worldwide)
  expect(worldwide, "https://login.microsoftonline.com/common")
  let government = try ApplicationConfiguration.authority(
    cloud: .usGovernment, audience: SignInAudience.anyOrganization)
  expect(government, "https://login.microsoftonline.us/organizations")
  let tenant = try ApplicationConfiguration.authority(
    audience: .myOrganization, tenant: "contoso.onmicrosoft.com")
  expect(tenant, "https://login.microsoftonline.com/contoso.onmicrosoft.com")
  expectError(.invalidConfiguration) {
    _ = try ApplicationConfiguration.authority(audience: .myOrganization)
  }
  expectCases(of: AuthorityType.self, ["entra", "b2c", "ciam", "adfs", "openid"])
  expectCases(of: BrokerPolicy.self, ["never", "prefer", "require"])
  expectCases(of: OfflineAccessPrompt.self, ["consent"])
  expectCases(
    of: EntraCloud.self,
    ["public", "china", "germany", "us_government", "france", "delos", "gov_sg"])
  expectCases(
    of: SignInAudience.self,
    [
      "AzureADandPersonalMicrosoftAccount", "AzureADMultipleOrgs", "AzureADMyOrg",
      "PersonalMicrosoftAccount",
    ])
  expectCases(
    of: KnownCache.self,
    [
      "azure_cli", "azure_identity", "azure_identity_cae", "azure_powershell",
      "azure_powershell_cae",
    ])
  expect(UserMessage.signedInTitle.defaultText.isEmpty, false)
  expect(Set(UserMessage.allCases.map(\.rawValue)).count, UserMessage.allCases.count)
  expect(TesseraVersion.text.split(separator: ".").count, 3)
}

/// Checks the list of caches of other tools, and an application that uses one of them.
func checkKnownCaches() throws {
  let caches: [FoundCache] = try knownCaches(timeout: .seconds(10))
  let cli = expectValue(
    caches.first { $0.name == KnownCache.azureCLI.rawValue && $0.kind == .file })
  expect(cli.kind, FoundCache.Kind.file)
  expect(cli.state, FoundCache.State.missing)
  expect(cli.path.hasPrefix(folder))
  expect(cli.accounts, nil)
  expect(try object(cli.jsonDocument).string("path"), cli.path)
  expect(MSALCache("azure_cli"), MSALCache.known(.azureCLI))
  expect(MSALCache.azureCLI.text, KnownCache.azureCLI.rawValue)
  let path = folder + "/msal_token_cache.json"
  let now = Int64(Date().timeIntervalSince1970)
  try Data(unifiedCache(at: now).utf8).write(to: URL(fileURLWithPath: path))
  chmod(path, 0o600)
  var configuration = ApplicationConfiguration(clientID: "client")
  configuration.authority = "https://login.microsoftonline.com/utid"
  configuration.store = .msalFile(MSALCache.file(path), policy: .allowPlaintext)
  expect(configuration.store.kind, StoreKind.msalFile)
  let application = try PublicClientApplication(configuration)
  expect(try application.silentToken(cachedAccount).accessToken, Secret("the-token"))
  expect(application.storeInfo().isSharedWithPeers)
  expectCases(of: FoundCache.Kind.self, ["file", "secret_service"])
  expectCases(
    of: FoundCache.State.self, ["missing", "usable", "locked", "unreadable", "unavailable"])
}

/// Checks the registration of a redirect scheme on the desktop of this user.
func checkRedirectSchemes() throws {
  let scheme = "com.example.tessera"
  let opener = folder + "/opener"
  try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: opener))
  chmod(opener, 0o700)
  expect(try RedirectSchemes.opener(of: scheme), nil)
  let changes: RedirectSchemes.Changes = try RedirectSchemes.register(
    scheme, command: [opener, "--url"], name: "Example")
  expect(changes.removed, [])
  expect(changes.written.allSatisfy { $0.hasPrefix(folder) })
  let found: RedirectSchemes.Opener = expectValue(try RedirectSchemes.opener(of: scheme))
  expect(found.command.prefix(2), [opener, "--url"])
  expect(changes.written.contains(found.path))
  let reverted = try RedirectSchemes.unregister(scheme)
  expect(Set(reverted.removed), Set(changes.written))
  expect(try RedirectSchemes.opener(of: scheme), nil)
  expectError(.invalidRedirectURI) { _ = try RedirectSchemes.opener(of: "https") }
  expectError(.stateMismatch) {
    try RedirectSchemes.deliver("\(scheme)://auth?code=c&state=s", timeout: .seconds(1))
  }
}
