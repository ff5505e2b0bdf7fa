// SPDX-License-Identifier: MIT
// The arguments of the command, with suggestions for misspelt subcommands.

import ArgumentParser

/// The arguments after the name of the program.
struct CommandArguments {
  /// The arguments for the parser.
  let words: [String]

  init(_ words: [String]) {
    // The words after the helpers of the Azure SDKs are arguments of other programs.
    let isForeign = words.starts(with: ["helper", "az"]) || words.starts(with: ["helper", "azd"])
    let end = isForeign ? words.startIndex : words.firstIndex(of: "--") ?? words.endIndex
    self.words = words[..<end].map(CommandArguments.parserWord) + words[end...]
  }

  /// Returns the word of the parser for other spellings.
  private static func parserWord(_ word: String) -> String {
    switch word {
    case "--help-all": "--help-hidden"
    case "-V": "--version"
    default: word
    }
  }

  /// Checks that the first words name a subcommand.
  func checkSubcommand(of root: any ParsableCommand.Type) throws(UnknownSubcommand) {
    let (command, path, next) = subcommand(of: root)
    let subcommands = command.configuration.subcommands
    guard !subcommands.isEmpty, let next, !next.hasPrefix("-"), next != "help" else { return }
    throw UnknownSubcommand(
      name: next, path: path.joined(separator: " "),
      known: subcommands.flatMap(CommandArguments.names))
  }

  /// Returns an error message with all options that are similar to an unknown one.
  func message(_ message: String, of root: any ParsableCommand.Type) -> String {
    let start = "Error: Unknown option '"
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let first = lines.first, first.hasPrefix("\(start)--"),
      let option = first.dropFirst(start.count).split(separator: "'").first
    else { return message }
    let help = root.helpMessage(for: subcommand(of: root).command, includeHidden: true)
    let known = Set(help.split { $0.isWhitespace || $0 == "," }.filter { $0.hasPrefix("--") })
    let question = Suggestion.question(
      for: String(option), in: known.map(String.init).sorted(), quote: "'")
    lines[0] = "\(start)\(option)'.\(question.map { " \($0)" } ?? "")"
    return lines.joined(separator: "\n")
  }

  /// Returns a requested help, with a line about `--help-all` if the command has further options.
  func help(_ text: String, of root: any ParsableCommand.Type) -> String {
    let (command, path, _) = subcommand(of: root)
    let hasMore =
      root.helpMessage(for: command, includeHidden: true) != root.helpMessage(for: command)
    guard text.hasPrefix("OVERVIEW: "), !words.contains("--help-hidden"), hasMore else {
      return text
    }
    let end = text.lastIndex { $0 != "\n" } ?? text.startIndex
    return "\(text[...end])\n\n  See '\(path.joined(separator: " ")) --help-all' for all options."
  }

  /// Returns the subcommand that the first words name, its path, and the word after it.
  private func subcommand(
    of root: any ParsableCommand.Type
  ) -> (command: any ParsableCommand.Type, path: [String], next: String?) {
    var command = root
    var path = [root.configuration.commandName ?? ""]
    for word in words.first == "help" ? words.dropFirst() : words[...] {
      let found = command.configuration.subcommands.first {
        CommandArguments.names($0).contains(word)
      }
      guard let found else { return (command, path, word) }
      command = found
      path.append(word)
    }
    return (command, path, nil)
  }

  /// Returns the names of a subcommand: the first one, then its aliases.
  private static func names(_ command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}

/// The error of a word that is not a subcommand.
struct UnknownSubcommand: Error {
  let name: String
  /// The command before it.
  let path: String
  let known: [String]

  /// The message, with similar subcommands.
  var message: String {
    let question =
      Suggestion.question(for: name, in: known)
      ?? "Run \"\(path) --help\" for a list."
    return """
      Error: "\(path)" has no command "\(name)". \(question)
      Usage: \(path) <subcommand>
        See '\(path) --help' for more information.
      """
  }
}
