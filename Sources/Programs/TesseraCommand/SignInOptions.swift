// SPDX-License-Identifier: MIT
// The options of a sign-in on a page, common to login and begin-login.

import ArgumentParser
import Tessera

/// The options of a sign-in.
struct SignInOptions: ParsableArguments {
  @Option(help: "A scope to request. Repeat the option for several.")
  var scope: [String]

  @Option(help: "Claims challenge from a resource or an error, as JSON.")
  var claims: String?

  @Option(help: "The redirect URI, as registered with the provider.")
  var redirectURI = "http://localhost"

  @Option(
    help: "The prompt of the sign-in page: select_account, login, consent, create or none.",
    transform: { try StoreOptions.choice($0) as SignInPromptType })
  var prompt: SignInPromptType?

  @Option(help: "The preferred languages of the sign-in page, separated by spaces.")
  var uiLocales: String?
}
