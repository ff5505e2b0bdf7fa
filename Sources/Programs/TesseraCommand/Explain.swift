// SPDX-License-Identifier: MIT
// tessera explain: explains the decision of a silent call, with all tokens that it could use.

import ArgumentParser
import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Explains the result of `tessera token`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain what \"tessera token\" would do.",
    usage: "tessera explain [<options>]",
    discussion: """
      Examples:
        tessera explain
        tessera explain --scope Mail.Read
        tessera explain --username alice@contoso.com --json

      Lists all tokens of the account in the store, with the reasons why each would be used or rejected. Works offline and \
      never prints a token.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(
    name: .shortAndLong,
    help: "A scope that the token must cover. Repeat the option for several.")
  var scope: [String] = []

  @Flag(help: "Explain a forced refresh, as with \"tessera token --force-refresh\".")
  var forceRefresh = false

  @Option(
    help: ArgumentHelp(
      "Explain a request with this claims challenge, as JSON.", visibility: .hidden))
  var claims: String?

  func run() throws {
    try Output.run(application, scopes: scope) { app in
      // An account that signed out is not listed any more, but its remaining tokens can still be explained.
      var id = account.homeAccountID ?? ""
      var environment = account.environment
      if id.isEmpty {
        let account = try account.account(of: app)
        id = account.homeAccountID
        environment = account.environment
      }
      var request = SilentRequest(homeAccountID: id, scopes: try app.scopes())
      request.environment = environment
      request.forcesRefresh = forceRefresh
      request.claims = claims
      let explanation = try app.application.explain(request)
      if application.json { return Output.printLine(.document(explanation.jsonDocument)) }
      Output.report(
        "\(explanation.decision.rawValue) (\(explanation.reason)): \(explanation.message)")
      for candidate in explanation.candidates { Output.report(Explain.line(candidate)) }
      if explanation.candidates.isEmpty {
        Output.report("The store contains no token of this account.")
      }
    }
  }

  /// Returns one line about a token, with the reasons for its rejection.
  private static func line(_ token: TokenCandidate) -> String {
    var parts = ["client \(token.clientID)", token.environment]
    if let family = token.familyID { parts.append("family \(family)") }
    if let tenant = token.tenantID, !tenant.isEmpty { parts.append("tenant \(tenant)") }
    if !token.scopes.isEmpty { parts.append("scopes \(token.scopes.joined(separator: " "))") }
    if let end = token.expiresAt {
      parts.append(end < .now ? "expired" : "valid for \(Output.duration(until: end))")
    }
    let role = token.role.rawValue.replacing("_", with: " ")
    let why = token.obstacles.map(\.rawValue).joined(separator: ", ")
    return "  \(role)\(why.isEmpty ? "" : " (\(why))"): \(token.credentialType), "
      + parts.joined(separator: ", ")
  }
}
