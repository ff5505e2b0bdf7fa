// SPDX-License-Identifier: MIT
// tessera profile: lists, shows and removes profiles.

import ArgumentParser
import Tessera

/// The commands for profiles.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "List, show and remove profiles, which \"tessera login\" stores.",
    discussion: """
      Examples:
        tessera profile list
        tessera profile show work
        tessera profile remove work

      A profile contains the options of a sign-in, so that later commands need none. "tessera use --profile NAME" selects \
      the default one.
      """,
    subcommands: [ProfileList.self, ProfileShow.self, ProfileRemove.self])

  /// Runs a subcommand, prints its error and converts it to the exit status.
  fileprivate static func run(
    asJSON: Bool, _ body: (ProfileFile) throws(TesseraError) -> Void
  ) throws {
    do throws(TesseraError) {
      guard let file = ProfileFile(.current) else {
        throw SettingError.conflict("HOME is not set, so there is no profile file. Set HOME.")
      }
      try body(file)
    } catch {
      Output.report(error, asJSON: asJSON)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Returns the document of a profile.
  fileprivate static func document(_ name: String, _ document: ProfileDocument) -> JSONText {
    let profile = document[name] ?? Profile()
    let members = ProfileKey.allCases.compactMap { key -> String? in
      guard let text = key.text(in: profile) else { return nil }
      let value =
        key == .scopes
        ? JSONText.array(profile.scopes.map { .string($0) }) : JSONText.string(text)
      return "\(JSONText.string(key.rawValue).text):\(value.text)"
    }
    let start = [
      "\"name\":\(JSONText.string(name).text)", "\"default\":\(name == document.selectedName)",
    ]
    return .document("{\((start + members).joined(separator: ","))}")
  }
}

/// Lists the profiles.
struct ProfileList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the profiles.", discussion: "An asterisk marks the default profile.")

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func run() throws {
    try ProfileCommand.run(asJSON: json) { file throws(TesseraError) in
      let document = try file.read()
      if json {
        let list = JSONText.array(document.names.map { ProfileCommand.document($0, document) })
        return Output.printLine(.object(["path": .string(file.path), "profiles": list]))
      }
      if document.names.isEmpty {
        Output.printError(
          "There are no profiles: \"tessera login --client-id ID\" stores the first one.")
      }
      Output.report(
        rows: document.profiles.map { name, profile in
          let registration = profile.registration
          return [
            "\(name == document.selectedName ? "*" : " ") \(name)",
            registration.clientID ?? "", registration.authority ?? registration.tenant ?? "common",
            profile.username ?? "",
          ]
        })
    }
  }
}

/// Shows a profile.
struct ProfileShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a profile, by default the default one.")

  @Argument(help: "The name of the profile.")
  var name: String?

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func run() throws {
    try ProfileCommand.run(asJSON: json) { file throws(TesseraError) in
      let document = try file.read()
      guard let name = name ?? document.selectedName else {
        throw SettingError.noDefault(in: document, advice: "State a name")
      }
      guard let profile = document[name] else {
        throw SettingError.missingProfile(name, in: document)
      }
      guard !json else { return Output.printLine(ProfileCommand.document(name, document)) }
      var rows = [["profile", name], ["profile file", file.path]]
      for key in ProfileKey.allCases {
        if let text = key.text(in: profile) {
          rows.append([key.displayName, text])
        }
      }
      Output.report(rows: rows)
    }
  }
}

/// Removes a profile.
struct ProfileRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a profile. Its accounts stay signed in.")

  @Argument(help: "The name of the profile.")
  var name: String

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func run() throws {
    try ProfileCommand.run(asJSON: json) { file throws(TesseraError) in
      guard try file.read()[name] != nil else {
        throw SettingError.missingProfile(name, in: try file.read())
      }
      try file.update { document throws(TesseraError) in document.remove(name) }
      guard !json else { return Output.printLine(.object(["removed": .string(name)])) }
      Output.report("Removed the profile \"\(name)\".")
    }
  }
}
