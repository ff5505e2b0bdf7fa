// SPDX-License-Identifier: MIT
// tessera doctor: checks everything between the command and a token.

import ArgumentParser
import Tessera

/// Checks the program, the profile, the store, the sign-in, the network, other caches and the broker.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the profile, the store, the sign-in and, with --online, the network.",
    usage: "tessera doctor [<options>]",
    discussion: """
      Examples:
        tessera doctor
        tessera doctor --online
        tessera doctor --report >report.txt

      Changes nothing, and works offline without --online. Each problem is followed by a command that solves it. The exit \
      status is that of the first problem: 5 if the store cannot store sign-ins.
      """)

  @OptionGroup var application: ApplicationOptions

  @Flag(
    help: "Also check the network: the discovery of the provider, the proxy, TLS and the broker.")
  var online = false

  @Flag(help: "Leave out user names, client IDs, tenants and the home directory, for a bug report.")
  var report = false

  func run() throws {
    let sections = Checkup(application, isOnline: online).sections()
    let redaction = report ? Redaction(application) : nil
    if application.json {
      Output.printLine(.object(["sections": .array(sections.map { $0.document(redaction) })]))
    } else {
      for section in sections { section.show(redaction) }
    }
    if let remedy = sections.flatMap(\.findings).compactMap(\.remedy).first {
      throw ExitCode(remedy.rawValue)
    }
  }
}

/// A part of the checkup.
struct CheckSection {
  let name: String
  var findings: [CheckFinding] = []
  /// A document of the library about the part; nil for none.
  var details: String?

  /// Prints the findings.
  func show(_ redaction: Redaction?) {
    func text(_ text: String) -> String { redaction?.apply(to: text) ?? text }
    let facts = findings.filter { $0.remedy == nil }
    let problems = findings.filter { $0.remedy != nil }
    guard Output.isTerminal else {
      Output.report(rows: facts.map { [name, $0.name, text($0.value)] })
      for problem in problems {
        Output.report(rows: [[name, problem.name, text(problem.value)]])
        if let step = problem.step { Output.report(rows: [[name, "step", text(step)]]) }
      }
      return
    }
    Output.report(heading: name)
    Output.report(rows: facts.map { ["  \($0.name)", text($0.value)] })
    for problem in problems {
      Output.report(problem: text(problem.value))
      if let step = problem.step { Output.report("    \(text(step))") }
    }
  }

  /// The findings as JSON.
  func document(_ redaction: Redaction?) -> JSONText {
    func text(_ text: String) -> JSONText { .string(redaction?.apply(to: text) ?? text) }
    return .object([
      "name": .string(name),
      "findings": .array(
        findings.map { finding in
          .object([
            "name": .string(finding.name), "value": text(finding.value),
            "problem": finding.remedy == nil ? nil : .bool(true), "step": finding.step.map(text),
            "code": finding.code.map { .string($0) },
          ])
        }),
      // Its paths contain the name of the user.
      "details": redaction == nil ? details.map { .document($0) } : nil,
    ])
  }
}

/// A finding of the checkup.
struct CheckFinding {
  let name: String
  let value: String
  /// The remedy of a problem; nil for information.
  var remedy: TesseraError.Remedy?
  /// The error code of a problem.
  var code: String?
  /// The next step, with one command.
  var step: String?

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Creates the finding of a problem.
  init(_ error: TesseraError, login: String? = nil) {
    name = "problem"
    value = OptionNames.replacingMembers(in: error.message)
    remedy = error.remedy
    code = error.code.rawValue
    step = error.nextStep(after: value, login: login)
  }
}

/// The replacement of personal data in a report.
struct Redaction {
  private var words: [(String, String)] = []

  init(_ application: ApplicationOptions) {
    if let home = Environment.current.home { words.append((home, "~")) }
    guard let settings = try? application.settings() else { return }
    let registration = settings.registration.value
    for (value, name) in [
      (registration.clientID, "CLIENT_ID"), (registration.authority, "AUTHORITY"),
      (registration.tenant, "TENANT"), (settings.username.value, "USERNAME"),
      (settings.group.value, "GROUP"),
    ] {
      if let value, value != "common", value != "default" { words.append((value, name)) }
    }
    if case .profile(let name) = settings.registration.source, name != "default" {
      words.append(("\"\(name)\"", "\"PROFILE\""))
    }
  }

  /// Returns a text without personal data.
  func apply(to text: String) -> String {
    words.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
