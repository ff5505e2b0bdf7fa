// SPDX-License-Identifier: MIT
// tessera handle-url: delivers an opened redirect URL to the program with the pending sign-in.

import ArgumentParser
import Tessera

/// Delivers a redirect URL.
struct HandleURL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handle-url",
    abstract: "Hand a redirect URI that was opened to the program that waits for its sign-in.",
    discussion: """
      This is what "tessera register-scheme" makes the desktop open addresses with. The address goes to the one sign-in \
      of this user that has its state; all others go on waiting. The exit status is 3 if none does.
      """)

  @Argument(help: "The whole address.")
  var url: String

  @Option(help: "Seconds to wait for a program that is busy: ten if left out.")
  var timeout: Int64?

  @Flag(help: "Print JSON, for machines.")
  var json = false

  func run() throws {
    do throws(TesseraError) {
      try RedirectSchemes.handOver(url, timeoutMilliseconds: timeout?.asMilliseconds)
      if json {
        Output.printLine("{}")
      } else {
        Output.report("The sign-in goes on in the program that waited for it.")
      }
    } catch {
      Output.report(error, asJSON: json)
      throw ExitCode(error.remedy.rawValue)
    }
  }
}
