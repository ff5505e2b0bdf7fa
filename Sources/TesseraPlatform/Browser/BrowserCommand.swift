// SPDX-License-Identifier: MIT
// A program that opens an address, and how it is told which one.

/// A command that opens an address; no shell reads it.
package struct BrowserCommand: Sendable, Equatable {
  /// The program's name, for a developer.
  package let name: String
  /// The program's file.
  package let path: String
  /// What comes before the address; `%s` stands for the address itself.
  private let words: [String]

  init(_ name: String, path: String, words: [String] = []) {
    self.name = name
    self.path = path
    self.words = words
  }

  /// The arguments for an address.
  package func arguments(_ url: String) -> [String] {
    guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
    return words.map { word in
      word.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: url)
    }
  }

  /// The words of the commands in `BROWSER`, which are separated by colons, and by spaces; quotes mean nothing.
  static func words(of variable: String) -> [[String]] {
    variable.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// What `BROWSER` names, as far as it is there.
  static func chosen(_ facts: EnvironmentFacts) -> [BrowserCommand] {
    words(of: facts.variables["BROWSER"] ?? "").compactMap { words in
      guard let name = words.first, let path = facts.programs[name] else { return nil }
      let short = name.split(separator: "/").last.map(String.init) ?? name
      return BrowserCommand(short, path: path, words: Array(words.dropFirst()))
    }
  }

  /// What the system has for it, the best first.
  static func usual(_ facts: EnvironmentFacts, isWSL: Bool) -> [BrowserCommand] {
    let names =
      facts.isApple
      ? ["open"] : (isWSL ? ["wslview"] : []) + ["xdg-open", "gio", "x-www-browser"]
    return names.compactMap { name in
      facts.programs[name].map { path in
        BrowserCommand(name, path: path, words: name == "gio" ? ["open"] : [])
      }
    }
  }
}
