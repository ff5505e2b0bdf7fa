// SPDX-License-Identifier: MIT
// tessera scheme: the program that opens redirect URIs with a custom scheme.

import ArgumentParser
import Tessera

/// The commands for custom schemes of redirect URIs.
struct SchemeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scheme",
    abstract: "Manage a custom scheme for redirect URIs.",
    subcommands: [RegisterScheme.self, UnregisterScheme.self, HandleURL.self])
}

/// Registers a scheme.
struct RegisterScheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Register the scheme of a redirect URI, so that browsers return to the sign-in.",
    usage: "tessera scheme register [<options>] <scheme>",
    discussion: """
      Examples:
        tessera scheme register com.example.app
        tessera scheme register com.example.app --check

      Writes a desktop entry for this user and makes it the default in mimeapps.list. The desktop then opens URLs such as \
      com.example.app://auth?code=... with "tessera scheme handle-url", which delivers them to the application that \
      waits for them. "tessera scheme unregister" reverts this.
      """)

  @Argument(help: "The scheme, such as com.example.app.")
  var scheme: String

  @Option(help: "The absolute path of another program that opens the URLs.")
  var program: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "An argument for that program, before the URL. Repeat the option for several.")
  var argument: [String] = []

  @Option(help: "The display name of the program, which browsers may show.")
  var name = "Tessera sign-in"

  @Flag(help: "Replace the program that currently opens the scheme.")
  var replace = false

  @Flag(help: "Print the program that opens the scheme. The exit status is 4 if there is none.")
  var check = false

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func validate() throws {
    guard argument.isEmpty || program != nil else {
      throw ValidationError("--argument requires --program.")
    }
  }

  func run() throws {
    do throws(TesseraError) {
      guard !check else { return try printOpener() }
      let command =
        program.map { [$0] + argument } ?? [ExecutablePath.path, "scheme", "handle-url"]
      let changes = try RedirectSchemes.register(
        scheme, command: command, name: name, replaces: replace)
      changes.report(asJSON: json)
    } catch {
      Output.report(error, asJSON: json, showsNextStep: error.code == .redirectSchemeTaken)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  private func printOpener() throws(TesseraError) {
    guard let opener = try RedirectSchemes.opener(of: scheme) else {
      throw TesseraError(
        .fixConfiguration, .redirectSchemeNotRegistered,
        "No program on this desktop opens the scheme \(scheme).")
    }
    guard json else { return Output.report(rows: [[opener.id, opener.path]]) }
    let command = JSONText.array(opener.command.map { .string($0) })
    Output.printLine(
      .object(["id": .string(opener.id), "path": .string(opener.path), "command": command]))
  }
}

/// Removes the registration of a scheme.
struct UnregisterScheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Remove a registration of \"tessera scheme register\"; others are kept."
  )

  @Argument(help: "The scheme, such as com.example.app.")
  var scheme: String

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func run() throws {
    do throws(TesseraError) {
      try RedirectSchemes.unregister(scheme).report(asJSON: json)
    } catch {
      Output.report(error, asJSON: json, showsNextStep: false)
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
      .object([
        "written": .array(written.map { .string($0) }),
        "removed": .array(removed.map { .string($0) }),
      ]))
  }
}
