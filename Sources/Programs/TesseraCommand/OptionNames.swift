// SPDX-License-Identifier: MIT
// The mapping of JSON members, which messages of the library contain, to command-line options.

/// The command-line options of JSON members, and the subcommands of functions.
enum OptionNames {
  /// The options of members that messages may contain, and the subcommands of functions.
  private static let options: [String: String] = [
    "authority_type": "--authority-type",
    "secret_file": "--client-secret-file",
    "begin_sign_in": "begin-login",
    "client_capabilities": "--client-capability",
    "client_id": "--client-id",
    "complete_sign_in": "complete-login",
    "correlation_id": "--correlation-id",
    "for_application": "--for-application",
    "home_account_id": "--home-account-id",
    "http_method": "--http-method",
    "key_id": "--key-id",
    "lifetime_seconds": "--lifetime",
    "redirect_uri": "--redirect-uri",
    "sso_url": "--sso-url",
    "timeout_milliseconds": "--timeout",
    "ui_locales": "--ui-locales",
    "webview_program": "--webview-program",
    "webview_type": "--webview",
  ]

  /// The options of members that are ordinary words.
  ///
  /// They are replaced only at the start of a message, where a lower-case word is always a member.
  private static let leadingMembers: [String: String] = [
    "claims": "--claims",
    "environment": "--environment",
    "format": "--format",
    "group": "--group",
    "nonce": "--nonce",
    "prompt": "--prompt",
    "scopes": "--scope",
    "state": "--state",
    "url": "--url",
    "username": "--username",
  ]

  /// The phrases with a member that is an ordinary word elsewhere, or has another form on the command line.
  private static let phrases: [String: String] = [
    "broker is \"": "--broker is \"", "set broker to": "set --broker to",
    "and authority to": "and --authority to",
    "set tokens.request_refresh_token to false": "pass --no-refresh-token",
    "credential.secret_file": "--client-secret-file",
    "credential.certificate_file": "--certificate", "credential.pfx_file": "--certificate",
    "credential.key_file": "--key-file", "network.ca_file": "--ca-file",
    "store.directory": "--store-directory",
    "store.group": "--group", "store.key_sources": "--key-source",
    "store.msal_cache": "--msal-cache", "store.policy": "--storage-policy",
    "tokens.expiry_margin_seconds": "--min-validity",
    "tokens.offline_access_prompt": "--offline-access-prompt",
    "the input of answer_descriptor": "standard input",
    "answer_descriptor 0 cannot": "Standard input cannot",
    "timed out: increase its timeout, or call again": "timed out. Try again",
    "request response_mode \"query\", or sign in": "remove --webview to sign in",
  ]

  /// Returns a message with the option instead of each member.
  ///
  /// Messages about the profile file and the list of services name their keys.
  static func replacingMembers(in message: String) -> String {
    let files = [ProfileFile.name, HelperListFile.name]
    guard !files.contains(where: { message.contains("/\($0): ") }) else { return message }
    var text = ""
    var word = ""
    let message = phrases.reduce(message) { $0.replacing($1.key, with: $1.value) }
    for character in message + "\n" {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else {
        text += options[word] ?? (text.isEmpty ? leadingMembers[word] : nil) ?? word
        text.append(character)
        word = ""
      }
    }
    return String(text.dropLast())
  }
}
