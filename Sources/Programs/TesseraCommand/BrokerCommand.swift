// SPDX-License-Identifier: MIT
// tessera broker: requests to the identity broker of this machine.

import ArgumentParser
import Tessera

/// Sends a request to the identity broker.
struct BrokerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "broker",
    abstract: "Send requests to the identity broker of this machine.",
    discussion: """
      On Linux, the broker is com.microsoft.identity.broker1 on the session bus, which starts it if necessary. The other \
      commands use the broker with "--broker prefer" or "--broker require".
      """,
    subcommands: [BrokerVersion.self, BrokerAccounts.self, BrokerCookies.self, BrokerSign.self])
}

/// The common options of all broker requests.
struct BrokerOptions: ParsableArguments {
  @OptionGroup var application: ApplicationOptions

  @Option(
    help: ArgumentHelp(
      "The time to wait for the broker, such as 10 or 1m.", visibility: .hidden),
    transform: TimeSpan.init(text:))
  var timeout: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "The correlation ID in the broker's log. The default is a new UUID.", visibility: .hidden))
  var correlationID: String?

  /// The members that all requests have in common.
  var request: BrokerRequest {
    var request = BrokerRequest()
    request.timeout = timeout?.duration
    request.correlationID = correlationID
    return request
  }

  /// Runs a request, and prints its document as JSON or its rows.
  func report(
    _ work: (PublicClientApplication) throws(TesseraError) -> (JSONText, rows: [[String]])
  ) throws {
    try Output.run(application, timeout: timeout) { app in
      let (document, rows) = try work(app.application)
      if application.json { return Output.printLine(document) }
      // A single column is machine-readable output. Print it without formatting.
      if let lone = rows.first, lone.count == 1 {
        return rows.forEach { Output.printLine($0.joined()) }
      }
      Output.report(rows: rows)
    }
  }
}

/// Prints the version of the broker.
struct BrokerVersion: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version of the broker.",
    usage: "tessera broker version [<options>]")

  @OptionGroup var options: BrokerOptions

  func run() throws {
    try options.report { app throws(TesseraError) in
      let version = try app.brokerVersion(options.request)
      return (.object(["version": .string(version)]), [[version]])
    }
  }
}

/// Lists the accounts of the broker.
struct BrokerAccounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "List the accounts of the broker, whether or not they are signed in here.",
    usage: "tessera broker accounts [<options>]")

  @OptionGroup var options: BrokerOptions

  func run() throws {
    try options.report { app throws(TesseraError) in
      let accounts = try app.brokerAccounts(options.request)
      if accounts.isEmpty { Output.printError("The broker has no accounts.") }
      return (
        .object(["accounts": .array(accounts.map { .document($0.jsonDocument) })]),
        accounts.map { [$0.username ?? "(no name)", $0.homeAccountID] }
      )
    }
  }
}

/// Prints the cookies for a sign-in page.
struct BrokerCookies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cookie",
    abstract: "Print the cookies with which a browser signs in as an account of the broker.",
    usage: """
      tessera broker cookie [<options>] --home-account-id <id> --sso-url <url>
      """,
    discussion: """
      The cookies are credentials, as sensitive as a password. Send them to that sign-in page only.
      """)

  @OptionGroup var options: BrokerOptions

  @Option(help: "The home account ID of the account, from \"tessera broker accounts\".")
  var homeAccountID: String

  @Option(help: "The URL of the sign-in page, with its sso_nonce.")
  var ssoURL: String

  @Option(
    help: """
      A scope that the browser requests. The default is that of Microsoft Graph. Repeat the option for several.
      """)
  var scope: [String] = []

  func run() throws {
    try options.report { app throws(TesseraError) in
      var request = BrokerCookieRequest(homeAccountID: homeAccountID, ssoURL: ssoURL)
      request.scopes = scope
      request.common = options.request
      let cookies = try app.brokerCookies(request)
      return (
        .object(["cookies": .array(cookies.map { .document($0.jsonDocument.reveal()) })]),
        cookies.map { ["\($0.name)=\($0.content.reveal())"] }
      )
    }
  }
}

/// Prints the signature of a request.
struct BrokerSign: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Print the broker's signature for a request to a resource (proof of possession).",
    usage: """
      tessera broker sign [<options>] --home-account-id <id> --url <url>
      """)

  @OptionGroup var options: BrokerOptions

  @Option(help: "The home account ID of the account, from \"tessera broker accounts\".")
  var homeAccountID: String

  @Option(help: "The HTTP method of the request.")
  var httpMethod = "GET"

  @Option(help: "The URL of the request.")
  var url: String

  @Option(help: ArgumentHelp("The nonce from the resource.", visibility: .hidden))
  var nonce: String?

  @Option(help: ArgumentHelp("Additional claims to sign, as JSON.", visibility: .hidden))
  var clientClaims: String?

  @Option(
    help: ArgumentHelp(
      "The ID of the signing key. The default is the broker's choice.", visibility: .hidden))
  var keyID: String?

  func run() throws {
    try options.report { app throws(TesseraError) in
      var request = BrokerSigningRequest(
        homeAccountID: homeAccountID, httpMethod: httpMethod, url: url)
      request.nonce = nonce
      request.clientClaims = clientClaims
      request.keyID = keyID
      request.common = options.request
      let signature = try app.brokerSignedRequest(request).reveal()
      return (.object(["signed_http_request": .string(signature)]), [[signature]])
    }
  }
}
