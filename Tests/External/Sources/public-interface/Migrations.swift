// SPDX-License-Identifier: MIT
// Migration from older libraries, export to them, and copies between stores.

import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Returns a cache of ADAL for Python with a refresh token of Alice, an access token of Bob, and a damaged entry.
private func olderCache(_ machine: LocalMachine, client: String = "client") -> String {
  let common = """
    "tokenType": "Bearer", "isMRRT": true, "resource": "r", "_clientId": "\(client)", \
    "_authority": "\(machine.provider.entraAuthority())"
    """
  return """
    [{\(common), "userId": "alice@contoso.com", "refreshToken": "the-refresh-token"}, \
    {\(common), "userId": "bob@contoso.com", "accessToken": "the-access-token"}, 5]
    """
}

/// Checks the report of a migration, and the location of an older cache.
func checkMigration() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  var request = MigrationRequest(
    data: Array(olderCache(machine).utf8), format: MigrationRequest.Format.adalPython)
  request.isDryRun = true
  let rehearsal: MigrationReport = try application.migrate(request)
  expect(rehearsal.isDryRun)
  expect(try application.accounts(), [])
  request.isDryRun = false
  let report = try application.migrate(request)
  expect(report.format, LegacyFormat.adalPython)
  expect(report.count(.migrated), 1)
  let alice: MigrationReport.Account = expectValue(report.accounts.first)
  expect(alice.username, LocalUser.alice.username)
  expect(alice.outcome, MigrationReport.Outcome.migrated)
  expect(alice.clientID, "client")
  let bob = expectValue(report.accounts.last)
  expect(bob.outcome, MigrationReport.Outcome.notMigrated)
  expect(bob.reason, MigrationReport.Reason.noRefreshToken)
  expect(bob.reason?.advice.isEmpty, false)
  let damage: MigrationReport.Damage = expectValue(report.damaged.first)
  expect(damage.entry, 2)
  expect(damage.message.isEmpty, false)
  expect(try object(report.jsonDocument).string("format"), "adal_python")
  expect(try application.accounts().map(\.username), [LocalUser.alice.username])
  let path = folder + "/.azure/accessTokens.json"
  expectError(.legacyCacheInvalid) { _ = try MigrationRequest(path: path) }
  try FileManager.default.createDirectory(
    atPath: folder + "/.azure", withIntermediateDirectories: true)
  try Data(olderCache(machine, client: "other").utf8).write(to: URL(fileURLWithPath: path))
  let place = try MigrationRequest(place: MigrationRequest.Place.azureCLI)
  expect(place.format, .azureCLI)
  expect(place.data.count < MigrationRequest.largest)
  expectMigrationCases()
}

/// Checks the names in the report of a migration.
private func expectMigrationCases() {
  expectCases(of: MigrationRequest.Place.self, ["azure_cli"])
  expectCases(
    of: MigrationRequest.Format.self,
    [
      "adal_apple_item", "adal_macos", "apple_keychain", "msal_macos", "adal_dotnet",
      "msal_dotnet", "adal_python", "azure_cli", "adal_node",
    ])
  expectCases(
    of: MigrationReport.Outcome.self,
    ["migrated", "already_migrated", "already_signed_in", "not_migrated"])
  expectCases(
    of: MigrationReport.Reason.self,
    [
      "no_refresh_token", "refused", "retired", "unknown_person", "too_many_tokens",
      "unknown_authority", "name_only",
    ])
}

/// Checks exports for both older libraries.
func checkExport() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let account = try application.signIn().account
  let keychain: ExportedSignIns = try application.exportSignIns(
    ExportRequest(format: ExportRequest.Format.appleKeychain))
  expect(keychain.format, ExportRequest.Format.appleKeychain)
  expect(keychain.accountCount, 1)
  expect(keychain.data, [])
  let token: ExportedSignIns.Item = expectValue(keychain.items.first { $0.type == 2002 })
  expect(token.service, "refreshtoken-client--")
  expect(token.account, "\(account.homeAccountID)-\(account.environment)")
  expect(String(decoding: token.generic, as: UTF8.self), "refreshtoken-client-")
  expect(token.value.isEmpty, false)
  expect(ExportedSignIns.accessGroups.first, "com.microsoft.adalcache")
  let archive = try application.exportSignIns(ExportRequest(format: .adalMacOS))
  expect(archive.items, [])
  let report = try application.migrate(MigrationRequest(data: archive.data))
  expect(report.format, .adalMacOS)
  expect(report.count(.alreadySignedIn), 1)
  expectCases(of: ExportRequest.Format.self, ["apple_keychain", "adal_macos"])
}

/// Checks copies between the stores of two machines, and the cache of another library.
func checkCopies() throws {
  let machine = LocalMachine()
  let source = try machine.entraApplication()
  let account = try source.signIn().account
  let target = try LocalMachine().entraApplication()
  var request = CopyRequest(homeAccountID: account.homeAccountID, isDryRun: true)
  let rehearsal = try target.copy(from: source, request)
  expect(rehearsal.isDryRun)
  expect(try target.accounts(), [])
  request.isDryRun = false
  let report: CopyReport = try target.copy(from: source, request)
  let copied: CopyReport.Account = expectValue(report.accounts.first)
  expect(copied.outcome, CopyReport.Outcome.copied)
  expect(copied.homeAccountID, account.homeAccountID)
  expect(copied.username, account.username)
  expect(copied.environment, account.environment)
  expect(report.recordCount, rehearsal.recordCount)
  expect(try target.silentToken(account).source, .cache)
  let again = try target.copy(from: source)
  expect(again.accounts.map(\.outcome), [CopyReport.Outcome.alreadyHere])
  expectCases(of: CopyReport.Outcome.self, ["copied", "already_here"])
  let other = try LocalMachine().entraApplication()
  let cache = try source.readCache()
  let written: CacheWriteReport = try other.writeCache(before: "", after: cache)
  expect(written.stored > 0)
  expect(written.removed, 0)
  expect(try other.accounts(), [account])
  let removed = try other.writeCache(before: cache, after: "{}")
  expect(removed, CacheWriteReport(stored: 0, removed: written.stored))
  expect(try other.accounts(), [])
}
