// SPDX-License-Identifier: MIT
// tessera begin-login and complete-login: a sign-in in two commands, with any browser in between.

import ArgumentParser
import Tessera

/// Begins a sign-in without opening a browser.
struct BeginLogin: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a sign-in and open its page yourself; \"complete-login\" completes it.",
    usage: "tessera begin-login [<options>]",
    discussion: """
      Examples:
        state=$(tessera begin-login --scope User.Read)
        tessera complete-login --state "$state" <redirect-url

      Prints the URL of the page on standard error, and on standard output the state for "complete-login", encrypted \
      with a key of the store. With --json, one document contains both.
      """)

  @OptionGroup var application: ApplicationOptions

  @OptionGroup var options: SignInOptions

  @Option(
    help: "The time until the sign-in expires, such as 600 or 10m. The default is 1h.",
    transform: TimeSpan.init(text:))
  var lifetime: TimeSpan?

  func run() throws {
    try Output.run(application, scopes: options.scope, redirectURI: options.redirectURI) { app in
      try app.application.checkStoreIsWritable()
      var request = SignInRequest(scopes: try app.scopes())
      request.claims = options.claims
      request.prompt = options.prompt
      request.uiLocales = options.uiLocales
      if let lifetime { request.lifetime = lifetime.duration }
      let begun = try app.application.beginSignIn(request, cancellation: nil)
      guard !application.json else { return Output.printLine(begun.jsonDocument) }
      Output.printError("Open this URL in a browser:")
      Output.printError("  \(begun.url)")
      Output.printLine(begun.state.reveal())
    }
  }
}

/// Completes a sign-in.
struct CompleteLogin: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Complete a sign-in with the URL to which the browser was redirected.",
    usage: "tessera complete-login [<options>] --state <state>",
    discussion: """
      Example:
        tessera complete-login --state "$state" <redirect-url

      Reads the URL from one line of standard input, because other users can see the arguments of a command. A \
      terminal accepts at most 4095 characters a line. Use a file or a pipe for longer URLs.
      """)

  @OptionGroup var application: ApplicationOptions

  @Option(help: "The state that \"begin-login\" printed.")
  var state: String

  @Option(help: "The same redirect URI as for \"begin-login\".")
  var redirectURI: String?

  func run() throws {
    try Output.run(application, redirectURI: redirectURI) { app in
      try app.application.checkStoreIsWritable()
      let words = readLine()?.split(whereSeparator: \.isWhitespace) ?? []
      let address = words.joined(separator: " ")
      let completion = RedirectResponse(
        state: Secret(state), response: .address(Secret(address)))
      let result = try app.application.completeSignIn(completion, cancellation: nil)
      try Output.report(signedIn: result, asJSON: application.json)
    }
  }
}
