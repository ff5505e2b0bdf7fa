// SPDX-License-Identifier: MIT
// tessera token: a token without user interaction.

import ArgumentParser
import Tessera

/// Gets a token for a signed-in account.
struct Token: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Get a token without signing in again.",
    discussion: """
      Prints the account and the remaining lifetime of the token. The token itself is printed only with --print-token or \
      --json.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(help: "A scope that the token must cover. Repeat the option for several.")
  var scope: [String]

  @Flag(
    help: """
      Get an app-only token that another library stored in the shared cache (--msal-cache). Excludes the account options.
      """)
  var forApplication = false

  @Flag(help: "Print only the token.")
  var printToken = false

  @Flag(help: "Get a new token even if a cached one is valid.")
  var forceRefresh = false

  @Option(help: "Claims challenge from a resource or an error, as JSON.")
  var claims: String?

  func run() throws {
    try Output.run(application) { app in
      var request =
        forApplication
        ? SilentRequest(forApplicationWithScopes: scope)
        : SilentRequest(account: try account.account(of: app), scopes: scope)
      request.forcesRefresh = forceRefresh
      request.claims = claims
      let result = try app.acquireTokenSilent(request, cancellation: nil)
      for warning in result.warnings { Output.printWarning(warning) }
      if let error = result.refreshError {
        Output.printWarning("The token is still valid, but the refresh failed: \(error.message)")
      }
      if application.json {
        Output.printLine(result.jsonDocument)
      } else if printToken {
        Output.printLine(result.accessToken.reveal())
      } else {
        let name =
          forApplication
          ? "the application" : result.account.username ?? result.account.homeAccountID
        Output.report(
          """
          Token for \(name), from the \(result.source.rawValue), \
          valid for \(Output.duration(until: result.expiresAt)).
          """)
        Output.report("Print it with --print-token.")
      }
      try Output.checkScopes(of: result, asJSON: application.json)
    }
  }
}
