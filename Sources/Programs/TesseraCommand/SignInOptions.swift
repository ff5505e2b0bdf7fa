// SPDX-License-Identifier: MIT
// The options of a sign-in on a page, common to login and begin-login.

import ArgumentParser
import Tessera

/// The options of a sign-in.
struct SignInOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "A scope to request. Repeat the option for several.")
  var scope: [String] = []

  @Option(
    help: ArgumentHelp(
      "Claims challenge from a resource or an error, as JSON.", visibility: .hidden))
  var claims: String?

  @Option(
    help: ArgumentHelp(
      """
      The redirect URI, as registered with the provider. The default is http://localhost.
      """, visibility: .hidden))
  var redirectURI: String?

  @Option(
    help: ArgumentHelp(
      "The prompt of the sign-in page: select_account, login, consent, create or none.",
      visibility: .hidden),
    completion: .choices(SignInPromptType.self),
    transform: { try StoreOptions.choice($0) as SignInPromptType })
  var prompt: SignInPromptType?

  @Option(
    help: ArgumentHelp(
      "The preferred languages of the sign-in page, separated by spaces.", visibility: .hidden))
  var uiLocales: String?
}
