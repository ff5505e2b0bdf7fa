// SPDX-License-Identifier: MIT
// Quoting and parsing of the command in a desktop entry.

/// The value of `Exec` (Desktop Entry Specification, section 7), after the escape sequences of all values are resolved.
package enum ExecLine {
  /// The characters that require quotes.
  private static let reserved = Set(" \t\n\"'\\><~|&;$*?#()`".unicodeScalars)
  /// The characters that are escaped with a backslash in quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)

  /// Returns a command line with the field code for the opened URL at its end.
  ///
  /// Arguments are quoted only if required. Some openers (xdg-open 1.1) split at spaces and do not parse quotes.
  package static func text(_ arguments: [String]) -> String {
    (arguments.map(quoted) + ["%u"]).joined(separator: " ")
  }

  private static func quoted(_ argument: String) -> String {
    var text = ""
    for scalar in argument.unicodeScalars {
      if escaped.contains(scalar) { text += "\\" }
      // A percent sign starts a field code, also in quotes.
      text += scalar == "%" ? "%%" : String(scalar)
    }
    let needsQuotes = argument.isEmpty || argument.unicodeScalars.contains(where: reserved.contains)
    return needsQuotes ? "\"\(text)\"" : text
  }

  /// Splits a command line into arguments.
  ///
  /// Field codes are preserved. Invalid quoting is accepted.
  package static func arguments(_ text: String) -> [String] {
    var arguments: [String] = []
    var argument: String?
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        argument = (argument ?? "") + String(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        isQuoted.toggle()
        argument = argument ?? ""
      } else if !isQuoted, scalar == " " || scalar == "\t" || scalar == "\n" {
        if let argument { arguments.append(argument) }
        argument = nil
      } else {
        argument = (argument ?? "") + String(scalar)
      }
    }
    if let argument { arguments.append(argument) }
    return arguments
  }
}
