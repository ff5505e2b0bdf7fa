// SPDX-License-Identifier: MIT
// A command that opens a URL, with its arguments.

/// A command that opens a URL.
///
/// It is executed without a shell.
package struct BrowserCommand: Sendable, Equatable {
  /// The name of the program, for messages.
  package let name: String
  /// The path of the executable.
  package let path: String
  /// The arguments before the URL; `%s` in them is replaced by the URL.
  private let words: [String]

  init(_ name: String, path: String, words: [String] = []) {
    self.name = name
    self.path = path
    self.words = words
  }

  /// Returns the arguments for a URL.
  package func arguments(_ url: String) -> [String] {
    guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
    return words.map { word in
      word.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: url)
    }
  }

  /// Splits `BROWSER` into commands at colons, and each command into arguments at spaces.
  ///
  /// Quotes have no special meaning.
  static func words(of variable: String) -> [[String]] {
    variable.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// Returns the commands in `BROWSER` that are installed.
  static func chosen(_ facts: EnvironmentFacts) -> [BrowserCommand] {
    words(of: facts.variables["BROWSER"] ?? "").compactMap { words in
      guard let name = words.first, let path = facts.programs[name] else { return nil }
      let short = name.split(separator: "/").last.map(String.init) ?? name
      return BrowserCommand(short, path: path, words: Array(words.dropFirst()))
    }
  }

  /// Returns the installed openers of the system, in order of preference.
  static func systemOpeners(_ facts: EnvironmentFacts, isWSL: Bool) -> [BrowserCommand] {
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
