// SPDX-License-Identifier: MIT
// tessera login: sign in with a code.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Signs a person in.
struct Login: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign in, with a code that you enter in a browser on any device.")

  @OptionGroup var application: ApplicationOptions

  @Option(help: "A scope to ask for; repeat it for several.")
  var scope: [String]

  @Option(help: "What a resource, or an error, wants of the token: the claims challenge, as JSON.")
  var claims: String?

  @Option(help: "Seconds to wait for the code to be entered.")
  var timeout: Int64?

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      var request = DeviceCodeRequest(scopes: scope)
      request.claims = claims
      request.timeoutMilliseconds = timeout.map { $0.multipliedReportingOverflow(by: 1000) }
        .map { $0.overflow ? .max : $0.partialValue }
      let result = try app.acquireTokenByDeviceCode(request) { prompt in
        if application.json {
          Output.say(prompt.json.serialized)
        } else {
          Output.complain(prompt.message)
        }
      }
      for warning in result.warnings { Output.complain("Warning: \(warning)") }
      guard application.json else {
        return Output.say(
          "Signed in as \(result.account.username ?? result.account.homeAccountID).")
      }
      Output.say(JSONValue.object(["account": result.account.json]).serialized)
    }
  }
}
