// SPDX-License-Identifier: MIT
// Text and JSON output, and the fingerprint of a token.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Example {
  /// A JSON value.
  public enum Value {
    /// A string.
    case text(String)
    /// An integer.
    case number(Int64)
    /// A Boolean.
    case flag(Bool)
    /// An array of strings.
    case texts([String])
    /// An array of objects.
    case list([[(String, Value)]])
  }

  /// Prints a line and flushes the output, because the user waits for it even through a pipe.
  public static func printLine(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Prints one line of JSON.
  public static func line(_ members: [(String, Value)]) {
    printLine(json(members))
  }

  private static func json(_ members: [(String, Value)]) -> String {
    "{" + members.map { "\(quoted($0)):\(json($1))" }.joined(separator: ",") + "}"
  }

  private static func json(_ value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .number(let number): String(number)
    case .flag(let flag): String(flag)
    case .texts(let texts): "[" + texts.map(quoted).joined(separator: ",") + "]"
    case .list(let objects): "[" + objects.map(json).joined(separator: ",") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    let characters = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\u{0}"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + characters.joined() + "\""
  }

  /// Returns a 64-bit FNV-1a hash, which identifies a token without printing it.
  static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
