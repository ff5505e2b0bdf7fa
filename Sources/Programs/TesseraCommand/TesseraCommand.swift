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
      Examples:
        tessera login --client-id ID --tenant contoso.com --scope User.Read
        tessera token
        tessera exec -- ./program

      All applications of a user with the same client ID and group share one sign-in: programs in C, Python and Swift \
      find what "tessera login" stores. --help-all lists all options of a command.

      The exit status is 0 for success. Otherwise it states what to do: 1 sign in, 2 try again later, 3 correct the \
      arguments, 4 correct the configuration, 5 repair the store, 6 cancelled or declined, 7 report a bug; \
      64 incorrect usage, 74 the output cannot be written.
      """,
    version: TesseraVersion.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Sign-in",
        subcommands: [
          Login.self, Token.self, Status.self, Accounts.self, Use.self, Logout.self, Exec.self,
        ]),
      CommandGroup(
        name: "Settings and help",
        subcommands: [
          ProfileCommand.self, ImportCommand.self, HelperCommand.self, Doctor.self, Explain.self,
        ]),
      CommandGroup(
        name: "Rare",
        subcommands: [
          BeginLogin.self, CompleteLogin.self, StoreCommand.self, SchemeCommand.self,
          BrokerCommand.self,
        ]),
    ])

  /// Runs the subcommand that the arguments specify.
  static func main() {
    let words = CommandArguments(arguments)
    do {
      try checkArguments()
      if var helper = HelperCommand.helper(arguments) { return try helper.run() }
      try words.checkSubcommand(of: TesseraCommand.self)
      var command = try parseAsRoot(words.words)
      try command.run()
    } catch let error as UnknownSubcommand {
      Output.printError(usage: error.message)
      exit(withError: ExitCode.validationFailure)
    } catch {
      let message = words.message(fullMessage(for: error), of: TesseraCommand.self)
      let status = exitCode(for: error)
      guard status == .success else {
        // The message may contain an argument with control characters.
        if !message.isEmpty { Output.printError(usage: message) }
        exit(withError: status)
      }
      // If the help text cannot be written, the exit status is not 0.
      Output.printLine(lines: words.help(message, of: TesseraCommand.self))
    }
  }

  /// The arguments, with the subcommand that the name of a link stands for.
  private static var arguments: [String] {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    return HelperCommand.arguments(ofLink: name) + CommandLine.arguments.dropFirst()
  }

  /// Rejects arguments that are not UTF-8, because Swift would replace their invalid bytes.
  private static func checkArguments() throws {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      throw ValidationError("Argument \(index) is not valid UTF-8.")
    }
  }
}
