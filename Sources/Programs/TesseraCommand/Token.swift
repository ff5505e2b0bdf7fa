// SPDX-License-Identifier: MIT
// tessera token: a token without user interaction.

import ArgumentParser
import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options of a request for a token without user interaction.
struct TokenOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "A scope that the token must cover. Repeat the option for several.")
  var scope: [String] = []

  @Option(
    help: ArgumentHelp(
      "The minimum remaining lifetime, such as 90, 10m or 1h. The default is 5m.",
      visibility: .hidden),
    transform: TimeSpan.init(text:))
  var minValidity: TimeSpan?

  @Flag(
    help: ArgumentHelp("Get a new token even if a cached one is valid.", visibility: .hidden))
  var forceRefresh = false

  @Option(
    help: ArgumentHelp(
      "Claims challenge from a resource or an error, as JSON.", visibility: .hidden))
  var claims: String?

  /// Whether a token expires before the minimum remaining lifetime.
  private func endsEarly(_ result: TokenResult) -> Bool {
    guard let minValidity else { return false }
    return result.expiresAt.timeIntervalSinceNow < Double(minValidity.seconds)
  }

  /// Applies the options to a configuration.
  func apply(to configuration: inout ApplicationConfiguration) {
    if let minValidity { configuration.expiryMargin = minValidity.duration }
  }

  /// Returns the token of an account.
  ///
  /// - Parameter account: Selects the account.
  func token(
    of app: ConfiguredApplication, _ account: AccountOptions
  ) throws(TesseraError) -> TokenResult {
    let scopes = try app.scopes()
    return try token(
      of: app, SilentRequest(account: try account.account(of: app), scopes: scopes))
  }

  /// Returns the token of a request, and prints warnings.
  func token(
    of app: ConfiguredApplication, _ request: SilentRequest
  ) throws(TesseraError) -> TokenResult {
    var request = request
    request.forcesRefresh = forceRefresh
    request.claims = claims
    var result = try app.application.acquireTokenSilent(request, cancellation: nil)
    if endsEarly(result), result.source == .cache, !request.isForApplication {
      // A cached token is also returned if at least half of its lifetime is left.
      request.forcesRefresh = true
      result = try app.application.acquireTokenSilent(request, cancellation: nil)
    }
    printWarnings(about: result)
    return result
  }

  /// Prints the problems that did not prevent the request from succeeding.
  func printWarnings(about result: TokenResult) {
    if endsEarly(result) {
      Output.printWarning(
        "The token is valid for \(Output.duration(until: result.expiresAt)) only.")
    }
    for warning in result.warnings { Output.printWarning(warning) }
    if let error = result.refreshError {
      Output.printWarning("The token is still valid, but the refresh failed: \(error.message)")
    }
  }
}

/// Gets a token for a signed-in account.
struct Token: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a token, without signing in again.",
    usage: "tessera token [<options>]",
    discussion: """
      Examples:
        tessera token --format header | curl -H @- https://app.example/
        tessera token --scope Mail.Read --min-validity 10m
        tessera token --username alice@contoso.com --format json

      --client-secret-file and --certificate get a token of the application itself.
      In continuous integration (CI is set), --format is required, because logs keep what is printed.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: TokenOptions
  @OptionGroup var credential: CredentialOptions

  @Option(
    help: """
      The output: \(TokenFormat.allCases.map(\.rawValue).joined(separator: ", ")). The default is raw.
      """,
    completion: .choices(TokenFormat.self),
    transform: { try StoreOptions.choice($0) as TokenFormat })
  var format: TokenFormat?

  @Option(
    help: ArgumentHelp(
      "The host of the service, for the formats netrc and oauthbearer.", visibility: .hidden))
  var host: String?

  @Option(
    help: ArgumentHelp("The port of the service, for the format oauthbearer.", visibility: .hidden)
  )
  var port: Int?

  @Flag(
    help: ArgumentHelp(
      """
      Get an app-only token that another library stored in the shared cache (--msal-cache). Excludes the account options.
      """, visibility: .hidden))
  var forApplication = false

  func validate() throws {
    guard format == nil || format == .json || !application.json else {
      throw ValidationError("Use one of --json and --format.")
    }
    guard port.map((1...0xFFFF).contains) ?? true else {
      throw ValidationError("--port must be a number from 1 to 65535.")
    }
    guard credential.credential == nil || !forApplication else {
      throw ValidationError("Remove --for-application: a credential gets such a token.")
    }
    guard format != nil || application.json || !Environment.current.isCI else {
      throw ValidationError(
        "CI is set, so a log may keep the output. Pass --format raw to print the token anyway.")
    }
  }

  func run() throws {
    if let credential = credential.credential { return try run(with: credential) }
    try Output.run(application, scopes: options.scope, change: options.apply) { app in
      try write(
        forApplication
          ? try options.token(of: app, SilentRequest(forApplicationWithScopes: try app.scopes()))
          : try options.token(of: app, account))
    }
  }

  /// Gets a token of the application itself.
  private func run(with credential: ClientCredential) throws {
    try Output.run(application, scopes: options.scope) { configuration, settings in
      var configuration = configuration
      options.apply(to: &configuration)
      configuration.credential = credential
      let app = try ConfidentialClientApplication(configuration)
      var request = ClientTokenRequest(scopes: try settings.requiredScopes())
      request.forcesRefresh = options.forceRefresh
      request.claims = options.claims
      let result = try app.acquireTokenForClient(request, cancellation: nil)
      options.printWarnings(about: result)
      try write(result)
    }
  }

  /// Writes the token in the format of the options.
  private func write(_ result: TokenResult) throws {
    var token = FormattedToken(result)
    token.host = host
    token.port = port
    let format = format ?? (application.json ? .json : .raw)
    if format == .execcredential, let version = Token.requestedVersion {
      token.apiVersion = version
    }
    Output.printLine(Secret(try format.text(of: token)), isJSON: format.isJSON)
    try Output.checkScopes(of: result, asJSON: format == .json)
  }

  /// The version of the credential that `kubectl` requests; nil outside of `kubectl`.
  private static var requestedVersion: String? {
    let known = ["v1", "v1beta1"].map { "client.authentication.k8s.io/\($0)" }
    let request = Environment.current["KUBERNETES_EXEC_INFO"] ?? ""
    return known.first { request.contains("\"\($0)\"") }
  }
}
