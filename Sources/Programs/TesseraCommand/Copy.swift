// SPDX-License-Identifier: MIT
// tessera store copy: copies the accounts and tokens of another store.

import ArgumentParser
import Tessera

/// Copies another store into this one.
struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the accounts and tokens of another store into this one.",
    usage: "tessera store copy [<options>] --from-group <group>",
    discussion: """
      Examples:
        tessera store copy --from-group work
        tessera store copy --from-store-directory /backup/tessera
        tessera store copy --from-msal-cache azure_cli --dry-run

      Works offline. The newer of two tokens with the same key wins. Nothing is deleted, and repeating the command has no \
      further effect.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The group of the other store.")
  var fromGroup: String?

  @Option(help: "The directory of the other store. The default is the directory of this one.")
  var fromStoreDirectory: String?

  @Option(
    help: "The cache of another library to copy instead of a store: a value of --msal-cache.",
    transform: { try StoreOptions.cache($0) })
  var fromMSALCache: MSALCache?

  @Option(help: "The home account ID of the account to copy. The default is all accounts.")
  var homeAccountID: String?

  @Flag(help: "Print what would be copied, without storing it.")
  var dryRun = false

  func validate() throws {
    guard (fromGroup == nil && fromStoreDirectory == nil) == (fromMSALCache != nil) else {
      throw ValidationError(
        "Specify the source: --from-group, --from-store-directory or both, or --from-msal-cache.")
    }
  }

  func run() throws {
    try Output.run(store, named: "tessera-copy") { configuration in
      var request = CopyRequest()
      request.homeAccountID = homeAccountID
      request.isDryRun = dryRun
      let other = try PublicClientApplication(source(basedOn: configuration))
      try Copy.checkExists(other.storeInfo())
      report(try PublicClientApplication(configuration).copy(from: other, request))
    }
  }

  private func report(_ report: CopyReport) {
    guard !store.json else { return Output.printLine(.document(report.jsonDocument)) }
    for account in report.accounts { Output.report(Copy.line(account, dryRun: dryRun)) }
    let what = dryRun ? "would be copied" : "copied"
    Output.report("\(report.recordCount) records of \(report.accounts.count) accounts \(what).")
  }

  /// Throws if the source does not exist.
  ///
  /// Its name is probably misspelled, and a report of zero copied records would hide that.
  private static func checkExists(_ info: StoreInfo) throws(TesseraError) {
    guard info.state == .missing else { return }
    throw TesseraError(
      .fixRequest, .invalidMember,
      "\(info.path ?? "The store") does not exist: check the spelling of the options."
    )
  }

  /// Returns the configuration of the source.
  ///
  /// Options that are not set are taken from the target.
  private func source(basedOn target: ApplicationConfiguration) -> ApplicationConfiguration {
    var source = target
    if let fromMSALCache {
      // The source is only read. The required protection applies to the target.
      source.store = .msalFile(fromMSALCache, policy: .allowPlaintext)
    } else {
      var database = store.database(fromGroup)
      if fromGroup == nil, case .sqlite(let options) = target.store { database = options }
      database.directory = fromStoreDirectory ?? database.directory
      source.store = .sqlite(database)
    }
    return source
  }

  /// Returns one line about the result for an account.
  private static func line(_ account: CopyReport.Account, dryRun: Bool) -> String {
    let name = account.username.isEmpty ? account.homeAccountID : account.username
    let what =
      switch account.outcome {
      case .copied: dryRun ? "would be copied" : "copied"
      case .alreadyHere: "already in this store"
      }
    return "\(name) (\(account.environment)): \(what)"
  }
}
