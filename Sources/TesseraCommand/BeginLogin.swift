// SPDX-License-Identifier: MIT
// tessera begin-login and complete-login: a sign-in in two commands, with any browser in between.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Begins a sign-in without opening a browser.
struct BeginLogin: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Begin a sign-in, whose page you open yourself; \"complete-login\" ends it.",
    usage: "tessera begin-login [<options>] --client-id <id> --scope <scope> ...",
    discussion: """
      Prints the address of the page on standard error, and on standard output the state that "complete-login" \
      needs, which is sealed with a key of the store. With --json both are in one document.
      """)

  @OptionGroup var application: ApplicationOptions

  @Option(help: "A scope to ask for; repeat it for several.")
  var scope: [String]

  @Option(help: "What a resource, or an error, wants of the token: the claims challenge, as JSON.")
  var claims: String?

  @Option(help: "The redirect URI, as registered with the provider.")
  var redirectURI = "http://localhost"

  @Option(
    help: "What the page asks for: select_account, login, consent, create or none.",
    transform: { try StoreOptions.choice($0) as SignInPromptType })
  var prompt: SignInPromptType?

  @Option(help: "Seconds within which the sign-in must be completed: 3600 if left out.")
  var lifetime: Int64?

  func run() throws {
    try Output.run(application, redirectURI: redirectURI) {
      app throws(TesseraError) in
      try app.checkWritable()
      var request = InteractiveRequest(scopes: scope)
      request.claims = claims
      request.prompt = prompt
      if let lifetime { request.lifetimeSeconds = lifetime }
      let begun = try app.beginSignIn(request, cancellation: nil)
      guard !application.json else { return Output.printLine(begun.json) }
      Output.printError("Open this address in a browser:")
      Output.printError("  \(begun.url)")
      Output.printLine(begun.state.reveal())
    }
  }
}

/// Completes a sign-in.
struct CompleteLogin: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Complete a sign-in that was begun: with the address at which the browser ended.",
    usage: "tessera complete-login [<options>] --client-id <id> --state <state>",
    discussion: """
      Reads the address from standard input, a line: on the command line every user could see its code. A terminal \
      takes 4095 characters a line; use a file or a pipe for longer ones.
      """)

  @OptionGroup var application: ApplicationOptions

  @Option(help: "What \"begin-login\" printed.")
  var state: String

  @Option(help: "The redirect URI that \"begin-login\" was given.")
  var redirectURI = "http://localhost"

  func run() throws {
    try Output.run(application, redirectURI: redirectURI) {
      app throws(TesseraError) in
      try app.checkWritable()
      let address = readLine()?.trimmed ?? ""
      let completion = RedirectResponse(
        state: Secret(state), answer: .address(Secret(address)))
      let result = try app.completeSignIn(completion, cancellation: nil)
      try Output.report(signedIn: result, asJSON: application.json)
    }
  }
}
