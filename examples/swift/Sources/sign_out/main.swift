// SPDX-License-Identifier: MIT
// Forget an account: its tokens, for every program of this machine.

import ExampleSupport
import Tessera

Example.run { options, application in
  let account = try Example.account(options, in: application)
  let removed = try application.removeAccount(account)
  if options.json {
    Example.line([("removed", .flag(removed))])
  } else {
    print("Signed out \(account.username ?? "the account").")
  }
}
