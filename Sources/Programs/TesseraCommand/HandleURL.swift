// SPDX-License-Identifier: MIT
// tessera scheme handle-url: delivers an opened redirect URL to the program with the pending sign-in.

import ArgumentParser
import Tessera

/// Delivers a redirect URL.
struct HandleURL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handle-url",
    abstract: "Deliver a redirect URL to the application that waits for it.",
    discussion: """
      The desktop runs this command for the schemes of "tessera scheme register". The URL is delivered to the sign-in of \
      this user with the same state; other sign-ins remain pending. The exit status is 3 if no sign-in has this state.
      """)

  @Argument(help: "The complete URL.")
  var url: String

  @Option(
    help: "The time to wait for a busy application. The default is 10s.",
    transform: TimeSpan.init(text:))
  var timeout: TimeSpan?

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    do throws(TesseraError) {
      try RedirectSchemes.deliver(url, timeout: timeout?.duration)
      if json {
        Output.printLine("{}")
      } else {
        Output.report("The sign-in continues in the application that started it.")
      }
    } catch {
      Output.report(error, asJSON: json, showsNextStep: false)
      throw ExitCode(error.remedy.rawValue)
    }
  }
}
