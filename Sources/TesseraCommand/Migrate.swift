// SPDX-License-Identifier: MIT
// tessera migrate: imports the sign-ins of an older library, and reports the result for each account.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Imports the sign-ins of an older library.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take over the sign-ins in the cache of an older library, such as ADAL.",
    discussion: """
      No server is asked: the first token of each account needs no prompt, unless the server refuses then. The file \
      itself stays as it is, and doing it again changes nothing.
      """)

  @OptionGroup var application: ApplicationOptions

  @Argument(help: "The file that the older library wrote.")
  var file: String?

  @Option(
    help: """
      In place of a file, where a program kept its own: azure_cli for accessTokens.json of the Azure CLI before 2.30, in \
      AZURE_CONFIG_DIR or ~/.azure.
      """,
    transform: { try StoreOptions.choice($0) as MigrationRequest.Place })
  var place: MigrationRequest.Place?

  @Option(
    help: """
      The format, if it is not to be recognised: \(MigrationRequest.formats.joined(separator: ", ")).
      """)
  var format: String?

  @Flag(help: "Say what would become of each account, and store nothing.")
  var dryRun = false

  func validate() throws {
    guard (file == nil) != (place == nil) else {
      throw ValidationError("Give either a file or --place.")
    }
  }

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      var request =
        if let place {
          try MigrationRequest(place: place, format: format)
        } else {
          try MigrationRequest(path: file ?? "", format: format)
        }
      request.isDryRun = dryRun
      let report = try app.migrate(request)
      if application.json { return Output.printLine(report.json) }
      for account in report.accounts { Output.report(Migrate.line(account, dryRun: dryRun)) }
      for damage in report.damaged {
        let place = damage.entry.map { "Entry \($0 + 1)" } ?? "The cache"
        Output.printError("\(place) could not be read: \(damage.message)")
      }
      if report.furtherDamaged > 0 {
        Output.printError("\(report.furtherDamaged) more entries could not be read.")
      }
      Output.report(Migrate.sum(report))
    }
  }

  /// Returns one line about the result for an account.
  private static func line(_ account: MigrationReport.Account, dryRun: Bool) -> String {
    let name = account.username.isEmpty ? "(no name)" : account.username
    let what =
      switch account.outcome {
      case .migrated: dryRun ? "would be taken over" : "taken over"
      case .alreadyMigrated: "taken over before"
      case .alreadySignedIn: "signed in here already"
      case .notMigrated: "not taken over. \(account.reason?.advice ?? "")"
      }
    return "\(name) (\(account.clientID)): \(what)"
  }

  private static func sum(_ report: MigrationReport) -> String {
    let stays = report.preserved.values.reduce(0, +)
    return """
      \(report.count(.migrated)) \(report.isDryRun ? "would be taken over" : "taken over"), \
      \(report.count(.alreadyMigrated)) before, \(report.count(.alreadySignedIn)) signed in here already, \
      \(report.count(.notMigrated)) not taken over; \(stays) other entries stay where they are.
      """
  }
}
