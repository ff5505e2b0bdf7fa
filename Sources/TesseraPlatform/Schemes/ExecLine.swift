// SPDX-License-Identifier: MIT
// The command of a desktop entry: how its words are quoted, and how they are read.

/// The value of `Exec` (Desktop Entry Specification, section 7), without the escapes that every value has.
package enum ExecLine {
  /// What makes a word that is not quoted another one.
  private static let reserved = Set(" \t\n\"'\\><~|&;$*?#()`".unicodeScalars)
  /// What is escaped by a backslash in a quoted word.
  private static let escaped = Set("\"`$\\".unicodeScalars)

  /// A command with the place of the address that is opened at its end.
  ///
  /// A word that needs no quotes has none: some openers (xdg-open 1.1) take words apart at spaces, and know no quotes.
  package static func text(_ words: [String]) -> String {
    (words.map(quoted) + ["%u"]).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      if escaped.contains(scalar) { text += "\\" }
      // A percent sign begins a field, in quotes or not.
      text += scalar == "%" ? "%%" : String(scalar)
    }
    let needsQuotes = word.isEmpty || word.unicodeScalars.contains(where: reserved.contains)
    return needsQuotes ? "\"\(text)\"" : text
  }

  /// The words of a command, its fields as they are; what is not quoted as it should be is taken as it comes.
  package static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted, scalar == " " || scalar == "\t" || scalar == "\n" {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(scalar)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
