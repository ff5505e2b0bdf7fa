// SPDX-License-Identifier: MIT
// Output of the command: results on standard output, everything else on standard error.

import ArgumentParser
import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The two output streams, and the exit status.
enum Output {
  /// Prints a sentence, wrapped to the width of the terminal.
  static func report(_ sentence: String) {
    let sentence = sentence.plain
    put(Terminal(STDOUT_FILENO)?.wrapped(sentence) ?? sentence)
  }

  /// Prints rows as a table, or with tabs between the cells if the output is not a terminal.
  static func report(rows: [[String]]) {
    let rows = rows.map { $0.map(\.plain) }
    let lines = Terminal(STDOUT_FILENO)?.table(rows) ?? rows.map { $0.joined(separator: "\t") }
    for line in lines { put(line) }
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Prints the heading of a section.
  static func report(heading: String) {
    put(Terminal(STDOUT_FILENO)?.styled(heading, .emphasis) ?? heading)
  }

  /// Prints a problem of a section.
  static func report(problem: String) {
    let line = "  ✗ \(problem.plain)"
    guard let terminal = Terminal(STDOUT_FILENO) else { return put(line) }
    let mark = terminal.styled("✗", .failure)
    put(terminal.wrapped(line).replacing("✗", with: mark, maxReplacements: 1))
  }

  /// Prints a machine-readable line, such as a token, without wrapping it.
  static func printLine(_ line: String) { put(line.plain) }

  /// Prints a JSON document on one line.
  static func printLine(_ document: JSONText) { put(document.text.plainJSON) }

  /// Prints a JSON document with secrets on one line.
  static func printLine(_ document: Secret) { put(document.reveal().plainJSON) }

  /// Prints a token, as a JSON document or as text, on one line.
  static func printLine(_ token: Secret, isJSON: Bool) {
    put(isJSON ? token.reveal().plainJSON : token.reveal().plain)
  }

  /// Prints text of the command itself, such as its help.
  static func printLine(lines: String) { put(plainLines(lines)) }

  /// Prints an error about the usage on standard error, wrapped to the width of the terminal.
  static func printError(usage lines: String) {
    let lines = plainLines(lines)
    _ = write(Terminal(STDERR_FILENO)?.wrapped(lines) ?? lines, to: STDERR_FILENO)
  }

  /// Prints several lines on standard error, without wrapping them.
  static func printError(lines: String) {
    _ = write(plainLines(lines), to: STDERR_FILENO)
  }

  /// Prints a line on standard error.
  ///
  /// - Parameter style: The style of the first word at a terminal with colours.
  static func printError(_ line: String, style: TextStyle = .plain) {
    let line = line.plain
    guard let terminal = Terminal(STDERR_FILENO) else { return _ = write(line, to: STDERR_FILENO) }
    let wrapped = terminal.wrapped(line)
    let end = wrapped.firstIndex(of: " ") ?? wrapped.endIndex
    let text = terminal.styled(String(wrapped[..<end]), style) + wrapped[end...]
    _ = write(text, to: STDERR_FILENO)
  }

  /// Prints a line with an emphasized part on standard error.
  static func printError(_ line: String, emphasized part: String) {
    let line = line.plain
    let part = part.plain
    guard let terminal = Terminal(STDERR_FILENO) else { return _ = write(line, to: STDERR_FILENO) }
    _ = write(
      line.replacing(part, with: terminal.styled(part, .emphasis)), to: STDERR_FILENO)
  }

  /// Prints a warning of the library on standard error.
  static func printWarning(_ message: String) {
    printError("Warning: \(OptionNames.replacingMembers(in: message))", style: .warning)
  }

  /// Returns lines without control characters.
  private static func plainLines(_ lines: String) -> String {
    lines.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).plain }
      .joined(separator: "\n")
  }

  private static func put(_ text: String) {
    if !write(text, to: STDOUT_FILENO) { StandardOutput.exitUnwritable(errno) }
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    sendText(text + "\n", to: descriptor)
  }

  /// Runs a subcommand, prints its error and converts it to the exit status.
  ///
  /// - Parameters:
  ///   - scopes: The values of `--scope`.
  ///   - redirectURI: The value of `--redirect-uri`.
  ///   - timeout: The value of `--timeout`.
  ///   - change: Changes the configuration before the application is created.
  static func run(
    _ options: ApplicationOptions, scopes: [String] = [], redirectURI: String? = nil,
    timeout: TimeSpan? = nil, change: (inout ApplicationConfiguration) -> Void = { _ in },
    _ body: (ConfiguredApplication) throws -> Void
  ) throws {
    try run(options, scopes: scopes, redirectURI: redirectURI, timeout: timeout) {
      configuration, settings in
      var configuration = configuration
      change(&configuration)
      let application = try PublicClientApplication(configuration)
      try body(ConfiguredApplication(application: application, settings: settings))
    }
  }

  /// Runs a subcommand with the configuration of an application, prints its error and converts it to the exit status.
  ///
  /// The parameters are those of the form with an application.
  static func run(
    _ options: ApplicationOptions, scopes: [String], redirectURI: String? = nil,
    timeout: TimeSpan? = nil, _ body: (ApplicationConfiguration, Settings) throws -> Void
  ) throws {
    var settings: Settings?
    do {
      let found = try options.settings(scopes: scopes, redirectURI: redirectURI)
      settings = found
      try body(try options.configuration(found), found)
    } catch let error as TesseraError {
      report(
        error, asJSON: options.json, login: settings?.loginCommand(profile: options.store.profile),
        timeout: timeout)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Runs a subcommand that concerns the whole store, prints its error and converts it to the exit status.
  static func run(
    _ options: StoreOptions, named name: String, _ body: (ApplicationConfiguration) throws -> Void
  ) throws {
    do {
      try body(try options.configuration(named: name))
    } catch let error as TesseraError {
      report(error, asJSON: options.json)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Prints an error.
  ///
  /// - Parameters:
  ///   - showsNextStep: Whether to print the next step for the user, unless the message contains it.
  ///   - login: The command that signs in with the same settings.
  ///   - timeout: The value of `--timeout`, for the message of a timeout.
  static func report(
    _ error: TesseraError, asJSON: Bool, showsNextStep: Bool = true, login: String? = nil,
    timeout: TimeSpan? = nil
  ) {
    guard !asJSON else { return printLine(JSONText.document(error.jsonDocument)) }
    let message =
      if error.code == .deadlineExceeded, let timeout {
        "Timed out after \(timeout.seconds) \(timeout.seconds == 1 ? "second" : "seconds")."
      } else {
        OptionNames.replacingMembers(in: error.message)
      }
    printError("tessera: \(message)", style: .failure)
    if showsNextStep, let step = error.nextStep(after: message, login: login) {
      printError("  \(step)")
    }
  }

  /// Formats the time until an expiry.
  static func duration(until end: Date) -> String {
    let seconds = end.timeIntervalSinceNow.rounded(.up)
    return switch seconds {
    case ..<0: "expired"
    case ..<120: "\(Int(seconds)) seconds"
    case ..<7200: "\(Int(seconds / 60)) minutes"
    default: "\(Int(seconds / 3600)) hours"
    }
  }
}
