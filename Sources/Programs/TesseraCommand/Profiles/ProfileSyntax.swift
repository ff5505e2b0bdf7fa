// SPDX-License-Identifier: MIT
// The lines of the profile file: a subset of TOML 1.0.

/// The error of an invalid line.
struct ProfileSyntaxError: Error {
  /// The problem and its correction.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// The syntax of a line.
enum ProfileSyntax {
  /// A line.
  enum Line {
    /// An empty line or a comment.
    case blank
    /// The header of a profile.
    case table(String)
    /// A key with its value.
    case entry(String, Value)
  }

  /// A value.
  enum Value: Equatable {
    case string(String)
    case array([String])

    /// The text in the file.
    var text: String {
      switch self {
      case .string(let text): ProfileSyntax.string(text)
      case .array(let texts): "[\(texts.map(ProfileSyntax.string).joined(separator: ", "))]"
      }
    }

    /// Returns the string of a key that is not empty.
    func string(of key: String) throws(ProfileSyntaxError) -> String {
      guard case .string(let text) = self, !text.isEmpty else {
        throw ProfileSyntaxError("\(key) must be a string in quotation marks that is not empty.")
      }
      return text
    }

    /// Returns the strings of a key.
    func strings(of key: String) throws(ProfileSyntaxError) -> [String] {
      guard case .array(let texts) = self, texts.allSatisfy({ !$0.isEmpty }) else {
        throw ProfileSyntaxError("\(key) must be an array of strings, such as [\"User.Read\"].")
      }
      return texts
    }
  }

  /// Returns the lines of a text, without an empty last one.
  static func lines(of text: String) -> [String] {
    // A carriage return and a line feed are one character, so the bytes are split.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns the key of a name.
  static func key<Key: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(ProfileSyntaxError) -> Key where Key.RawValue == String {
    if let key = Key(rawValue: name) { return key }
    let known = Key.allCases.map(\.rawValue)
    let hint =
      Suggestion.question(for: name, in: known)
      ?? "Known keys: \(known.joined(separator: ", "))."
    throw ProfileSyntaxError("unknown key \"\(name)\". \(hint)")
  }

  /// Returns a basic string of TOML.
  ///
  /// Control characters, which would make it invalid, are kept.
  static func string(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }

  /// Returns the line of a key with another value, and with the same comment.
  static func replacingValue(of line: String, with value: Value) -> String {
    guard let start = line.firstIndex(of: "=") else { return line }
    var rest = line[line.index(after: start)...]
    skipBlanks(&rest)
    let old = rest
    guard (try? self.value(&rest)) != nil else { return line }
    return line[..<old.startIndex] + value.text + rest
  }

  /// Parses a line.
  static func parse(_ line: String) throws(ProfileSyntaxError) -> Line {
    var rest = Substring(line)
    if rest.last == "\r" || rest.unicodeScalars.last == "\r" { rest.unicodeScalars.removeLast() }
    skipBlanks(&rest)
    guard let first = rest.first, first != "#" else { return .blank }
    guard first == "[" else {
      let key = try bareKey(&rest)
      skipBlanks(&rest)
      guard rest.popFirst() == "=" else {
        throw ProfileSyntaxError("\"\(key)\" has no value. Write \(key) = \"value\".")
      }
      skipBlanks(&rest)
      let value = try value(&rest)
      try checkEnd(rest)
      return .entry(key, value)
    }
    rest.removeFirst()
    skipBlanks(&rest)
    guard try bareKey(&rest) == "profile", rest.popFirst() == "." else {
      throw ProfileSyntaxError("unknown table. Write [profile.NAME].")
    }
    let name = try bareKey(&rest)
    skipBlanks(&rest)
    guard rest.popFirst() == "]", Profile.isValidName(name) else {
      throw ProfileSyntaxError(
        "invalid name of a profile. Use 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.")
    }
    try checkEnd(rest)
    return .table(name)
  }

  private static func value(_ rest: inout Substring) throws(ProfileSyntaxError) -> Value {
    guard rest.first == "[" else { return .string(try basicString(&rest)) }
    rest.removeFirst()
    var texts: [String] = []
    skipBlanks(&rest)
    while rest.first != "]" {
      texts.append(try basicString(&rest))
      skipBlanks(&rest)
      guard rest.first == "," else { break }
      rest.removeFirst()
      skipBlanks(&rest)
    }
    guard rest.popFirst() == "]" else {
      throw ProfileSyntaxError("the array does not end with \"]\" on the same line.")
    }
    return .array(texts)
  }

  private static func basicString(_ rest: inout Substring) throws(ProfileSyntaxError) -> String {
    guard rest.popFirst() == "\"" else {
      throw ProfileSyntaxError("a value is a string in quotation marks, or an array of them.")
    }
    var scalars = rest.unicodeScalars
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"":
        rest = Substring(scalars)
        return String(text)
      case "\\": text.append(try escaped(&scalars))
      case "\0"..."\u{1F}", "\u{7F}":
        throw ProfileSyntaxError("a string contains a control character. Remove it.")
      default: text.append(scalar)
      }
    }
    throw ProfileSyntaxError("a string does not end with a quotation mark.")
  }

  /// Returns the scalar of an escape sequence.
  private static func escaped(
    _ scalars: inout Substring.UnicodeScalarView
  ) throws(ProfileSyntaxError) -> Unicode.Scalar {
    guard let scalar = scalars.popFirst(), scalar == "\"" || scalar == "\\" else {
      throw ProfileSyntaxError("an escape sequence is unknown. Use only \\\" and \\\\.")
    }
    return scalar
  }

  private static func bareKey(_ rest: inout Substring) throws(ProfileSyntaxError) -> String {
    let key = rest.utf8.prefix(while: \.isBareKey)
    guard !key.isEmpty else {
      throw ProfileSyntaxError("a line must be a comment, [profile.NAME] or key = \"value\".")
    }
    let text = String(Substring(key))
    rest = rest[key.endIndex...]
    return text
  }

  private static func skipBlanks(_ rest: inout Substring) {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }

  private static func checkEnd(_ rest: Substring) throws(ProfileSyntaxError) {
    let end = rest.drop { $0 == " " || $0 == "\t" }
    guard end.isEmpty || end.first == "#" else {
      throw ProfileSyntaxError("unexpected text after the value. Remove it.")
    }
  }
}
