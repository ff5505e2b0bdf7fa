// SPDX-License-Identifier: MIT
// tessera status: the settings of the next command, with their sources, and the state of the sign-in.

import ArgumentParser
import Tessera

/// Shows the settings and the signed-in account.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the settings with their sources, and the signed-in account.",
    usage: "tessera status [<options>]",
    discussion: """
      Examples:
        tessera status
        tessera status --profile work
        tessera status --json

      Works offline. The exit status is 1 if no account is signed in.
      """,
    aliases: ["whoami"])

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(
    name: .shortAndLong,
    help: "A scope that the token must cover. Repeat the option for several.")
  var scope: [String] = []

  func run() throws {
    var login: String?
    do {
      let settings = try application.settings(scopes: scope)
      login = settings.loginCommand(profile: application.store.profile)
      let state = try state(settings)
      if application.json {
        Output.printLine(document(settings, state))
      } else {
        Output.report(rows: rows(settings, state))
      }
      if let error = state.error {
        if !application.json { Output.report(error, asJSON: false, login: login) }
        throw ExitCode(error.remedy.rawValue)
      }
    } catch let error as TesseraError {
      Output.report(error, asJSON: application.json, login: login)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// The state of the sign-in.
  private struct State {
    var account: Account?
    var token: String?
    var error: TesseraError?
  }

  /// Returns the account and the decision of the next request.
  private func state(_ settings: Settings) throws -> State {
    var state = State()
    do throws(TesseraError) {
      let app = ConfiguredApplication(
        application: try PublicClientApplication(try application.configuration(settings)),
        settings: settings)
      let account = try account.account(of: app)
      state.account = account
      guard !settings.scopes.value.isEmpty else { return state }
      let request = SilentRequest(account: account, scopes: settings.scopes.value)
      let explanation = try app.application.explain(request)
      state.token = Status.sentence(explanation)
      if explanation.decision == .signIn {
        state.error = explanation.error
      }
    } catch {
      state.error = error
    }
    return state
  }

  private static func sentence(_ explanation: Explanation) -> String {
    guard explanation.decision == .use,
      let end = explanation.candidates.first(where: { $0.role == .used })?.expiresAt
    else { return explanation.message }
    return "valid for \(Output.duration(until: end))"
  }

  /// The value of a setting that no source has.
  private static let unset = "not set"

  /// The values of the settings with their sources: a name, a value and a source each.
  private static func values(_ settings: Settings) -> [(String, String, SettingSource)] {
    let registration = settings.registration.value
    let source = settings.registration.source
    var values = [("client_id", registration.clientID ?? unset, source)]
    if let authority = registration.authority { values.append(("authority", authority, source)) }
    if let tenant = registration.tenant { values.append(("tenant", tenant, source)) }
    if let type = registration.authorityType {
      values.append(("authority_type", type.rawValue, source))
    }
    if !registration.hasProvider { values.append(("tenant", "common", .standard)) }
    let scopes = settings.scopes.value
    values.append(
      ("scopes", scopes.isEmpty ? unset : scopes.joined(separator: " "), settings.scopes.source)
    )
    values.append(("group", settings.group.value ?? "default", settings.group.source))
    return values
  }

  private func rows(_ settings: Settings, _ state: State) -> [[String]] {
    var rows = Status.values(settings).map { name, value, source in
      [
        ProfileKey(rawValue: name)?.displayName ?? name, value,
        source != .standard ? "from \(source.text)" : value == Status.unset ? "" : "by default",
      ]
    }
    if let path = ProfileFile(.current)?.path { rows.append(["profile file", path]) }
    if let account = state.account {
      rows.append(["account", account.username ?? account.homeAccountID, accountSource(settings)])
    }
    if let token = state.token { rows.append(["token", token]) }
    return rows.map { row in row.last == "" ? row.dropLast() : row }
  }

  /// The reason for which an account is selected.
  private func accountSource(_ settings: Settings) -> String {
    guard account.request == AccountsRequest() else { return "from the options" }
    return settings.username.value == nil ? "the only one" : "from \(settings.username.source.text)"
  }

  private func document(_ settings: Settings, _ state: State) -> JSONText {
    let values = Status.values(settings).map { name, value, source in
      JSONText.object([
        "name": .string(name), "value": .string(value), "source": .string(source.text),
      ])
    }
    return .object([
      "settings": .array(values),
      "profile_file": ProfileFile(.current).map { .string($0.path) },
      "account": state.account.map { .document($0.jsonDocument) },
      "token": state.token.map { .string($0) },
      "error": state.error.map { .string($0.code.rawValue) },
    ])
  }
}
