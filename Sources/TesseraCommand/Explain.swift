// SPDX-License-Identifier: MIT
// tessera explain: explains the decision of a silent call, with all tokens that it could use.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Explains the result of `tessera token`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what \"tessera token\" would do, and why.",
    discussion: """
      Lists every token that the store has of the account, and why it would be used or not. Asks no server and prints no \
      token.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(help: "A scope that the token must cover; repeat it for several.")
  var scope: [String]

  @Flag(help: "As if a new token were wanted even if there is a valid one.")
  var forceRefresh = false

  @Option(help: "As if a resource had sent this claims challenge.")
  var claims: String?

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      // An account that signed out is not listed any more, but its remaining tokens can still be explained.
      var id = account.homeAccountID ?? ""
      var environment = account.environment
      if id.isEmpty {
        let account = try account.account(of: app)
        id = account.homeAccountID
        environment = account.environment
      }
      var request = SilentRequest(homeAccountID: id, scopes: scope)
      request.environment = environment
      request.forcesRefresh = forceRefresh
      request.claims = claims
      let explanation = try app.explain(request)
      if application.json { return Output.printLine(explanation.json) }
      Output.report(
        "\(explanation.decision.rawValue) (\(explanation.reason)): \(explanation.message)")
      let now = app.surroundings.time.now
      for candidate in explanation.candidates { Output.report(Explain.line(candidate, now)) }
      if explanation.candidates.isEmpty { Output.report("The store has no token of this account.") }
    }
  }

  /// Returns one line about a token, with the reasons for its rejection.
  private static func line(_ token: TokenCandidate, _ now: Instant) -> String {
    var parts = ["client \(token.clientID)", token.environment]
    if let family = token.familyID { parts.append("family \(family)") }
    if let tenant = token.tenantID, !tenant.isEmpty { parts.append("tenant \(tenant)") }
    if !token.scopes.isEmpty { parts.append("scopes \(token.scopes.joined(separator: " "))") }
    if let end = token.expiresAt {
      let left = end.seconds(since: now)
      parts.append(left < 0 ? "expired" : "good for \(Output.duration(left))")
    }
    let role = token.role.rawValue.replacing("_", with: " ")
    let why = token.obstacles.map(\.rawValue).joined(separator: ", ")
    return "  \(role)\(why.isEmpty ? "" : " (\(why))"): \(token.credentialType), "
      + parts.joined(separator: ", ")
  }
}
