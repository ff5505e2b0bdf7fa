// SPDX-License-Identifier: MIT
// tessera register-scheme and unregister-scheme: the program that opens redirect URIs with a custom scheme.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Registers a scheme.
struct RegisterScheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Register the scheme of a redirect URI, so that a sign-in in the browser comes back.",
    usage: "tessera register-scheme [<options>] <scheme>",
    discussion: """
      Writes a desktop entry, and the choice of it into mimeapps.list, for this user. Addresses such as \
      com.example.app://auth?code=... are then opened with "tessera handle-url", which hands them to the program that \
      waits for its sign-in. "tessera unregister-scheme" takes that back.
      """)

  @Argument(help: "The scheme, such as com.example.app.")
  var scheme: String

  @Option(help: "Another program to open addresses with, as an absolute path.")
  var program: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "An argument of that program, in front of the address; repeat it for several.")
  var argument: [String] = []

  @Option(help: "How people know the program; a browser may show it.")
  var name = "Tessera sign-in"

  @Flag(help: "Come before a program that opens the scheme now.")
  var replace = false

  @Flag(help: "Say who opens the scheme, and change nothing. The exit status is 4 if nobody does.")
  var check = false

  @Flag(help: "Print JSON, a document a line, for machines.")
  var json = false

  func validate() throws {
    guard argument.isEmpty || program != nil else {
      throw ValidationError("--argument is of --program.")
    }
  }

  func run() throws {
    do throws(TesseraError) {
      guard !check else { return try printOpener() }
      let command = program.map { [$0] + argument } ?? [ExecutablePath.path, "handle-url"]
      let changes = try RedirectSchemes.register(
        scheme, command: command, name: name, replaces: replace)
      changes.report(asJSON: json)
    } catch {
      Output.report(error, asJSON: json, advises: false)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  private func printOpener() throws(TesseraError) {
    guard let opener = try RedirectSchemes.opener(of: scheme) else {
      throw TesseraError(
        .fixConfiguration, .redirectSchemeNotRegistered,
        "No program of this desktop opens the scheme \(scheme).")
    }
    guard json else { return Output.report(rows: [[opener.id, opener.path]]) }
    let command = opener.command.map { JSONValue.string($0) }
    Output.printLine(
      JSONValue.object([
        "id": .string(opener.id), "path": .string(opener.path), "command": .array(command),
      ]))
  }
}

/// Removes the registration of a scheme.
struct UnregisterScheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what \"tessera register-scheme\" wrote; what others have registered stays."
  )

  @Argument(help: "The scheme, such as com.example.app.")
  var scheme: String

  @Flag(help: "Print JSON, a document a line, for machines.")
  var json = false

  func run() throws {
    do throws(TesseraError) {
      try RedirectSchemes.unregister(scheme).report(asJSON: json)
    } catch {
      Output.report(error, asJSON: json, advises: false)
      throw ExitCode(error.remedy.rawValue)
    }
  }
}

extension RedirectSchemes.Changes {
  /// Prints the changes.
  fileprivate func report(asJSON: Bool) {
    guard asJSON else {
      return Output.report(rows: written.map { ["wrote", $0] } + removed.map { ["removed", $0] })
    }
    Output.printLine(
      JSONValue.object([
        "written": .array(written.map { .string($0) }),
        "removed": .array(removed.map { .string($0) }),
      ]))
  }
}
