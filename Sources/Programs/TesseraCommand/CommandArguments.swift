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
  ///
  /// - Throws: An error that suggests a subcommand.
  func checkSubcommand(of root: any ParsableCommand.Type) throws {
    var command = root
    var path = [root.configuration.commandName ?? ""]
    for word in words {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      let names = subcommands.map(CommandArguments.names)
      if let index = names.firstIndex(where: { $0.contains(word) }) {
        command = subcommands[index]
        path.append(word)
        continue
      }
      let start = "\"\(path.joined(separator: " "))\" has no command \"\(word)\"."
      let hint =
        Suggestion.nearest(to: word, in: names.flatMap(\.self)).map { "Did you mean \"\($0)\"?" }
        ?? "Run \"\(path.joined(separator: " ")) --help\" for a list."
      throw ValidationError("\(start) \(hint)")
    }
  }

  /// Returns the names of a subcommand: the first one, then its aliases.
  private static func names(_ command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}
