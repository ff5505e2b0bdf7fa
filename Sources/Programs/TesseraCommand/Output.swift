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

  /// Prints a machine-readable line, such as a token, without wrapping it.
  static func printLine(_ line: String) { put(line.plain) }

  /// Prints a JSON document on one line.
  static func printLine(_ document: JSONText) { put(document.text.plainJSON) }

  /// Prints a JSON document with secrets on one line.
  static func printLine(_ document: Secret) { put(document.reveal().plainJSON) }

  /// Prints text of the command itself, such as its help.
  static func printLine(lines: String) { put(plainLines(lines)) }

  /// Prints several lines on standard error, without wrapping them.
  static func printError(lines: String) {
    _ = write(plainLines(lines), to: STDERR_FILENO)
  }

  /// Prints a line on standard error.
  static func printError(_ line: String) {
    let line = line.plain
    _ = write(Terminal(STDERR_FILENO)?.wrapped(line) ?? line, to: STDERR_FILENO)
  }

  /// Prints a warning of the library on standard error.
  static func printWarning(_ message: String) {
    printError("Warning: \(OptionNames.replacingMembers(in: message))")
  }

  /// Returns lines without control characters.
  private static func plainLines(_ lines: String) -> String {
    lines.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).plain }
      .joined(separator: "\n")
  }

  private static func put(_ text: String) {
    guard !write(text, to: STDOUT_FILENO) else { return }
    printError("tessera: The output could not be written: \(String(cString: strerror(errno))).")
    // EX_IOERR: the output, such as a token, was not written.
    exit(74)
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array((text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { memory in
        sendBytes(descriptor, memory)
      }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Runs a subcommand, prints its error and converts it to the exit status.
  ///
  /// - Parameter timeout: The value of `--timeout`.
  static func run(
    _ options: ApplicationOptions, redirectURI: String? = nil, timeout: Int64? = nil,
    _ body: (PublicClientApplication) throws -> Void
  ) throws {
    do {
      try body(try options.application(redirectURI: redirectURI))
    } catch let error as TesseraError {
      report(error, asJSON: options.json, timeout: timeout)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Prints an error.
  ///
  /// - Parameters:
  ///   - advises: Whether to print the next step for the user, unless the message contains it.
  ///   - timeout: The value of `--timeout`, for the message of a timeout.
  static func report(
    _ error: TesseraError, asJSON: Bool, showsNextStep: Bool = true, timeout: Int64? = nil
  ) {
    guard !asJSON else { return printLine(JSONText.document(error.jsonDocument)) }
    let message =
      if error.code == .deadlineExceeded, let timeout {
        "Timed out after \(timeout) \(timeout == 1 ? "second" : "seconds")."
      } else {
        OptionNames.replacingMembers(in: error.message)
      }
    printError("tessera: \(message)")
    if showsNextStep, let step = error.nextStep(after: message) { printError("  \(step)") }
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

/// Calls the system function `write`, which methods named `write` shadow.
func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Calls the system function `read`, which methods named `read` shadow.
func receiveBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
