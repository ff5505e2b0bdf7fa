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

  @Flag(help: "Leave out names, IDs, addresses and paths, for a bug report.")
  var report = false

  func run() throws {
    let sections = Diagnostics(application, isOnline: online).sections()
    if application.json {
      Output.printLine(
        .object(["sections": .array(sections.map { $0.document(forReport: report) })]))
    } else {
      for section in sections { section.show(forReport: report) }
    }
    if let remedy = sections.flatMap(\.findings).compactMap(\.remedy).first {
      throw ExitCode(remedy.rawValue)
    }
  }
}

/// A part of the diagnostics.
struct CheckSection {
  let name: String
  var findings: [CheckFinding] = []
  /// A document of the library about the part; nil for none.
  var details: String?

  /// Prints the findings.
  func show(forReport isReport: Bool) {
    let facts = findings.filter { $0.remedy == nil }
    let problems = findings.filter { $0.remedy != nil }
    guard Output.isTerminal else {
      for finding in facts + problems {
        Output.report(rows: [[name, finding.name, finding.text(forReport: isReport)]])
        if let step = finding.step { Output.report(rows: [[name, "step", step]]) }
      }
      return
    }
    Output.report(heading: name)
    Output.report(rows: facts.map { ["  \($0.name)", $0.text(forReport: isReport)] })
    for problem in problems {
      Output.report(problem: problem.text(forReport: isReport))
      if let step = problem.step { Output.report("    \(step)") }
    }
  }

  /// The findings as JSON.
  func document(forReport isReport: Bool) -> JSONText {
    .object([
      "name": .string(name),
      "findings": .array(
        findings.map { finding in
          .object([
            "name": .string(finding.name), "value": .string(finding.text(forReport: isReport)),
            "problem": finding.remedy == nil ? nil : .bool(true),
            "step": finding.step.map { .string($0) }, "code": finding.code.map { .string($0) },
          ])
        }),
      // Its paths contain the name of the user.
      "details": isReport ? nil : details.map { .document($0) },
    ])
  }
}

/// A finding of the diagnostics.
struct CheckFinding {
  let name: String
  let value: String
  /// The value for a bug report, which has no personal data; nil if `value` has none.
  private var reportValue: String?
  /// The remedy of a problem; nil for information.
  var remedy: TesseraError.Remedy?
  /// The error code of a problem.
  var code: String?
  /// The next step, with one command and no personal data.
  var step: String?

  init(_ name: String, _ value: String, report: String? = nil) {
    self.name = name
    self.value = value
    reportValue = report
  }

  /// Creates the finding of a problem.
  ///
  /// A bug report has its code and causes, because the message may contain addresses and paths.
  init(_ error: TesseraError) {
    name = "problem"
    value = OptionNames.replacingMembers(in: error.message)
    reportValue = CheckFinding.reportText(of: error)
    remedy = error.remedy
    code = error.code.rawValue
    step = error.nextStep(after: value, login: nil)
  }

  /// The value.
  func text(forReport isReport: Bool) -> String { isReport ? reportValue ?? value : value }

  /// Returns the code and the causes of an error.
  static func reportText(of error: TesseraError) -> String {
    let causes = error.causes.map { cause in
      "\(cause.domain.rawValue) \(cause.number.map { "\($0)" } ?? cause.code ?? "")"
    }
    let numbers = error.serverCodes.map { "AADSTS\($0)" }
    return ([error.code.rawValue] + causes + numbers).joined(separator: ", ")
  }
}
