// SPDX-License-Identifier: MIT
// tessera token: a token without user interaction.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Gets a token for a signed-in account.
struct Token: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Get a token without signing in again.",
    discussion: """
      Says whose token there is and until when. The token itself is printed only with --print-token or --json.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(help: "A scope that the token must cover; repeat it for several.")
  var scope: [String]

  @Flag(
    help: """
      The token of the application itself, which another library stored in the cache that it shares (--msal-cache); no \
      account is named then.
      """)
  var forApplication = false

  @Flag(help: "Print the token, and nothing else.")
  var printToken = false

  @Flag(help: "Get a new token even if there is a valid one.")
  var forceRefresh = false

  @Option(help: "What a resource, or an error, wants of the token: the claims challenge, as JSON.")
  var claims: String?

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      var request =
        forApplication
        ? SilentRequest(forApplicationWithScopes: scope)
        : SilentRequest(account: try account.account(of: app), scopes: scope)
      request.forcesRefresh = forceRefresh
      request.claims = claims
      let result = try app.acquireTokenSilent(request, cancellation: nil)
      for warning in result.warnings { Output.printError("Warning: \(warning)") }
      if let error = result.refreshError {
        Output.printError(
          "Warning: the token is still good, but a refresh failed: \(error.message)")
      }
      if application.json { return Output.printLine(result.json) }
      if printToken { return Output.printLine(result.accessToken.reveal()) }
      let left = result.expiresAt.seconds(since: app.surroundings.time.now)
      Output.report(
        """
        Token for \(result.account.username ?? result.account.homeAccountID.nonBlank ?? "the application"), \
        from the \(result.source.rawValue), good for \(Output.duration(left)).
        """)
      Output.report("Print it with --print-token.")
    }
  }
}
