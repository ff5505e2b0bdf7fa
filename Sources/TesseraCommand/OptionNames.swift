// SPDX-License-Identifier: MIT
// The mapping of configuration members, which messages of the library contain, to command-line options.

/// The command-line options of configuration members.
enum OptionNames {
  /// The options of members that messages may contain.
  private static let options: [String: String] = [
    "authority_type": "--authority-type",
    "key_sources": "--key-source",
    "msal_cache": "--msal-cache",
    "storage_policy": "--storage-policy",
    "store_directory": "--store-directory",
  ]

  /// Returns a message with the option instead of each configuration member.
  static func replacingMembers(in message: String) -> String {
    var text = ""
    var word = ""
    for character in message + "\n" {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else {
        text += options[word] ?? word
        text.append(character)
        word = ""
      }
    }
    return String(text.dropLast())
  }
}
