// SPDX-License-Identifier: MIT
// The command `tessera`: sign in once on a machine, then use the token in every script.

import ArgumentParser
import Tessera

/// The command with its subcommands.
@main
struct TesseraCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera",
    abstract: "Sign in to the Microsoft identity platform or any OpenID Connect provider.",
    discussion: """
      All programs of a user that name the same group share one sign-in: what "tessera login" stores, \
      a program in C, Python or Swift finds.

      The exit status says what to do: 0 success, 1 sign in, 2 try again later, 3 change the call, \
      4 change the configuration, 5 repair the store, 6 cancelled or declined, 7 report a bug; \
      64 wrong usage, 74 the output was closed.
      """,
    version: Version.text,
    subcommands: [
      Login.self, BeginLogin.self, CompleteLogin.self, Token.self, Explain.self, Accounts.self,
      Logout.self, BrokerCommand.self, Doctor.self, RotateKey.self, Migrate.self, Copy.self,
      Caches.self,
      RegisterScheme.self, UnregisterScheme.self, HandleURL.self,
    ])

  /// Runs the subcommand that the arguments specify.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      // Printing the help text may fail, and then the exit status is not 0.
      guard exitCode(for: error) == .success else { exit(withError: error) }
      Output.printLine(lines: fullMessage(for: error))
    }
  }
}
