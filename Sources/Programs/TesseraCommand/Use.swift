// SPDX-License-Identifier: MIT
// tessera use: the default account and the default profile.

import ArgumentParser
import Tessera

/// Selects the default account of a profile, or the default profile.
struct Use: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Select the default account of a profile, or the default profile.",
    usage: "tessera use [<username>] [--profile <profile>]",
    discussion: """
      Examples:
        tessera use alice@contoso.com
        tessera use --profile work
        tessera use alice@contoso.com --profile work
      """)

  @Argument(help: "The user name of a signed-in account.")
  var username: String?

  @OptionGroup var application: ApplicationOptions

  private var store: StoreOptions { application.store }

  func validate() throws {
    guard username != nil || store.profile != nil else {
      throw ValidationError("Specify a user name, --profile or both.")
    }
  }

  func run() throws {
    do {
      let used = try select()
      guard !store.json else {
        return Output.printLine(
          .object([
            "profile": .string(used.profile), "username": used.account.map { .string($0) },
          ]))
      }
      if let account = used.account {
        Output.report("\(account) is the default account of the profile \"\(used.profile)\".")
      }
      if store.profile != nil { Output.report("\"\(used.profile)\" is the default profile.") }
    } catch let error as TesseraError {
      Output.report(error, asJSON: store.json)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Changes the profile file; returns the names of the profile and of the account.
  private func select() throws -> (profile: String, account: String?) {
    guard let file = ProfileFile(.current) else {
      throw SettingError.conflict("HOME is not set, so there are no profiles. Set HOME.")
    }
    let document = try file.read()
    let chosen = store.profile ?? Environment.current["TESSERA_PROFILE"] ?? document.selectedName
    guard let name = chosen else {
      throw SettingError.noDefault(in: document, advice: "Pass --profile with a name")
    }
    guard document[name] != nil else { throw SettingError.missingProfile(name, in: document) }
    let account = try username.map { try signedIn($0, profile: name) }
    try file.update { document throws(TesseraError) in
      guard var profile = document[name] else {
        throw SettingError.missingProfile(name, in: document)
      }
      if let account {
        profile.username = account
        document.set(name, to: profile)
      }
      if store.profile != nil { document.setDefault(name) }
    }
    return (name, account)
  }

  /// Returns the user name of a signed-in account, in the spelling of the store.
  private func signedIn(_ username: String, profile: String) throws -> String {
    var application = application
    application.store.profile = profile
    let settings = try application.settings()
    let app = ConfiguredApplication(
      application: try PublicClientApplication(try application.configuration(settings)),
      settings: settings)
    let account = try AccountOptions.parse(["--username=\(username)"])
    return try account.account(of: app).username ?? username
  }
}
