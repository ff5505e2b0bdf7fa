// SPDX-License-Identifier: MIT
// A command that opens a URL, with its arguments.

import TesseraWire

/// A command that opens a URL.
///
/// It is executed without a shell.
package struct BrowserCommand: Sendable, Equatable {
  /// The name of the program, for messages.
  package let name: String
  /// The path of the executable.
  package let path: String
  /// The arguments before the URL; `%s` in them is replaced by the URL.
  private let leadingArguments: [String]

  init(_ name: String, path: String, arguments: [String] = []) {
    self.name = name
    self.path = path
    leadingArguments = arguments
  }

  /// Returns the arguments for a URL.
  package func arguments(_ url: String) -> [String] {
    guard leadingArguments.contains(where: { $0.contains("%s") }) else {
      return leadingArguments + [url]
    }
    return leadingArguments.map { $0.replacing("%s", with: url) }
  }

  /// Splits `BROWSER` into commands at colons, and each command into arguments at spaces.
  ///
  /// Quotes have no special meaning.
  static func commands(in variable: String) -> [[String]] {
    variable.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// Returns the commands in `BROWSER` that are installed.
  static func chosen(_ facts: EnvironmentFacts) -> [BrowserCommand] {
    commands(in: facts.variables["BROWSER"] ?? "").compactMap { command in
      guard let name = command.first, let path = facts.programs[name] else { return nil }
      let short = name.split(separator: "/").last.map(String.init) ?? name
      return BrowserCommand(short, path: path, arguments: Array(command.dropFirst()))
    }
  }

  /// Returns the installed openers of the system, in order of preference.
  static func systemOpeners(_ facts: EnvironmentFacts, isWSL: Bool) -> [BrowserCommand] {
    let names =
      facts.isApple
      ? ["open"] : (isWSL ? ["wslview"] : []) + ["xdg-open", "gio", "x-www-browser"]
    return names.compactMap { name in
      facts.programs[name].map { path in
        BrowserCommand(name, path: path, arguments: name == "gio" ? ["open"] : [])
      }
    }
  }
}
