// SPDX-License-Identifier: MIT
// The options of the command line that set the members named in messages of the library.

/// Options by the members that they set.
enum OptionNames {
  /// Members whose names can occur in messages.
  private static let options: [String: String] = [
    "authority_type": "--authority-type",
    "key_sources": "--key-source",
    "msal_cache": "--msal-cache",
    "storage_policy": "--storage-policy",
    "store_directory": "--store-directory",
  ]

  /// Returns the message with the option in place of each member that an option sets.
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
