// SPDX-License-Identifier: MIT
// Runs an example, and prints errors with advice.

import Tessera

#if canImport(Glibc)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// Common code of the examples.
public enum Example {
  /// Runs `body` and ends the process.
  ///
  /// After an error, the exit status is the number of its remedy.
  public static func run(_ body: (Options, PublicClientApplication) throws -> Void) -> Never {
    do {
      let options = try Options(CommandLine.arguments)
      try body(options, PublicClientApplication(options.configuration))
      exit(0)
    } catch let error as TesseraError {
      explain(error.message, advice(for: error.remedy))
      if let wait = error.retryAfter { note("Wait: \(wait.components.seconds) seconds.") }
      exit(error.remedy.rawValue)
    } catch let problem as Problem {
      explain(problem.message, problem.advice)
      exit(problem.remedy.rawValue)
    } catch {
      explain("\(error)", advice(for: .reportBug))
      exit(TesseraError.Remedy.reportBug.rawValue)
    }
  }

  /// Returns the account of `--home-account-id` or `--username`, or the only account.
  public static func account(
    _ options: Options, in application: PublicClientApplication
  ) throws -> Account {
    if let home = options.homeAccountID { return try application.account(homeAccountID: home) }
    if let username = options.username { return try application.account(username: username) }
    let accounts = try application.accounts()
    guard let account = accounts.first else {
      throw Problem(.signIn, "no account is signed in", advice(for: .signIn))
    }
    guard accounts.count == 1 else {
      throw Problem(
        .fixRequest, "several accounts are signed in", "choose one with --username")
    }
    return account
  }

  /// Prints the source of the token and its remaining lifetime, never the token itself.
  public static func show(_ token: TokenResult, _ options: Options) {
    let source = token.source == .cache ? "cache" : "network"
    let username = token.account.username ?? "-"
    for scope in token.declinedScopes { note("Warning: the server declined the scope \(scope).") }
    if !token.isPersisted {
      note("Warning: the store could not be written. The sign-in ends with this process.")
    }
    let expiresOn = Int64(token.expiresAt.timeIntervalSince1970)
    if options.json {
      line([
        ("source", .text(source)), ("expires_on", .number(expiresOn)),
        ("username", .text(username)),
        ("fingerprint", .text(fingerprint(token.accessToken.reveal()))),
      ])
    } else {
      let seconds = expiresOn - Int64(time(nil))
      printLine("Token for \(username) from the \(source), valid for \(seconds) seconds.")
    }
  }

  private static func explain(_ message: String, _ advice: String) {
    note("Error: \(message)\nWhat to do: \(advice).")
  }

  private static func note(_ text: String) {
    let line = text + "\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }

  private static func advice(for remedy: TesseraError.Remedy) -> String {
    switch remedy {
    case .signIn: "sign in with sign_in"
    case .retryLater: "try again later"
    case .fixRequest: "correct the options of this command"
    case .fixConfiguration:
      "check --client-id, --authority and the app registration"
    case .fixStorage: "repair the token store, or choose another one with --store-directory"
    case .cancelled: "nothing"
    case .reportBug: "report this error, including the message"
    }
  }
}

/// An error detected by the example itself.
struct Problem: Error {
  let remedy: TesseraError.Remedy
  let message: String
  let advice: String

  init(_ remedy: TesseraError.Remedy, _ message: String, _ advice: String) {
    self.remedy = remedy
    self.message = message
    self.advice = advice
  }
}
