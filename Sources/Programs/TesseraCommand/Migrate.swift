// SPDX-License-Identifier: MIT
// tessera store migrate: imports the sign-ins of an older library, and reports the result for each account.

import ArgumentParser
import Tessera

/// Imports the sign-ins of an older library.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import the sign-ins from the cache of an older library, such as ADAL.",
    usage: "tessera store migrate [<options>] [<file>]",
    discussion: """
      Examples:
        tessera store migrate --place azure_cli
        tessera store migrate cache.dat --dry-run

      Works offline. The first token of each account then needs no prompt, unless the server rejects the imported \
      refresh token. The file is not changed, and repeating the command has no further effect.
      """)

  @OptionGroup var application: ApplicationOptions

  @Argument(help: "The cache file of the older library.")
  var file: String?

  @Option(
    help: """
      A known location instead of a file: azure_cli for accessTokens.json of the Azure CLI before 2.30, in \
      AZURE_CONFIG_DIR or ~/.azure.
      """,
    completion: .choices(MigrationRequest.Place.self),
    transform: { try StoreOptions.choice($0) as MigrationRequest.Place })
  var place: MigrationRequest.Place?

  @Option(
    help: """
      The format of the file: \(MigrationRequest.Format.allCases.map(\.rawValue).joined(separator: ", ")). The default is to detect it.
      """,
    completion: .choices(MigrationRequest.Format.self),
    transform: { try StoreOptions.choice($0) as MigrationRequest.Format })
  var format: MigrationRequest.Format?

  @Flag(help: "Print the result for each account, without storing anything.")
  var dryRun = false

  func validate() throws {
    guard (file == nil) != (place == nil) else {
      throw ValidationError("Specify either a file or --place.")
    }
  }

  func run() throws {
    try Output.run(application) { app in
      var request =
        if let place {
          try MigrationRequest(place: place, format: format)
        } else {
          try MigrationRequest(path: file ?? "", format: format)
        }
      request.isDryRun = dryRun
      let report = try app.application.migrate(request)
      if application.json { return Output.printLine(.document(report.jsonDocument)) }
      for account in report.accounts { Output.report(Migrate.line(account, dryRun: dryRun)) }
      for damage in report.damaged {
        let place = damage.entry.map { "Entry \($0 + 1)" } ?? "The cache"
        Output.printError("\(place) could not be read: \(damage.message)")
      }
      if report.furtherDamaged > 0 {
        Output.printError("\(report.furtherDamaged) more entries could not be read.")
      }
      Output.report(Migrate.summary(report))
    }
  }

  /// Returns one line about the result for an account.
  private static func line(_ account: MigrationReport.Account, dryRun: Bool) -> String {
    let name = account.username.isEmpty ? "(no name)" : account.username
    let what =
      switch account.outcome {
      case .migrated: dryRun ? "would be imported" : "imported"
      case .alreadyMigrated: "imported before"
      case .alreadySignedIn: "already signed in"
      case .notMigrated: "not imported. \(account.reason?.nextStep ?? "")"
      }
    return "\(name) (\(account.clientID)): \(what)"
  }

  private static func summary(_ report: MigrationReport) -> String {
    let preservedCount = report.preserved.values.reduce(0, +)
    return """
      \(report.count(.migrated)) \(report.isDryRun ? "would be imported" : "imported"), \
      \(report.count(.alreadyMigrated)) imported before, \(report.count(.alreadySignedIn)) already signed in, \
      \(report.count(.notMigrated)) not imported. Other entries in the file: \(preservedCount).
      """
  }
}
