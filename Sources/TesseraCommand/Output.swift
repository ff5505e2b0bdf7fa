// SPDX-License-Identifier: MIT
// What the command prints: results on standard output, everything else on standard error.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The two streams, and the exit status.
enum Output {
  /// Prints a line for whoever called.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Prints a line on standard error.
  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  /// Runs a subcommand; an error is printed and becomes the exit status.
  static func run(
    _ options: ApplicationOptions, _ body: (PublicClientApplication) throws(TesseraError) -> Void
  ) throws {
    do throws(TesseraError) {
      try body(try options.application())
    } catch {
      if options.json { say(error.json.serialized) } else { complain("tessera: \(error.message)") }
      if !options.json, let advice = advice(error) { complain("  \(advice)") }
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// What a person can do about an error.
  private static func advice(_ error: TesseraError) -> String? {
    switch error.remedy {
    case .signIn: "Run \"tessera login\" with the same options."
    case .retryLater:
      error.retryAfterSeconds.map { "Try again in \($0) seconds." } ?? "Try again in a moment."
    case .fixConfiguration:
      "Check --client-id and --authority, and how the application is registered."
    case .reportBug: "This is a bug in Tessera; please report it."
    case .fixRequest, .fixStorage, .cancelled: nil
    }
  }

  /// How a person reads a duration.
  static func duration(_ seconds: Int64) -> String {
    switch seconds {
    case ..<0: "expired"
    case ..<120: "\(seconds) seconds"
    case ..<7200: "\(seconds / 60) minutes"
    default: "\(seconds / 3600) hours"
    }
  }
}
