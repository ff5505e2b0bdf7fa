// SPDX-License-Identifier: MIT
// Sign out: remove the application's tokens of an account, and print what remains.

import ExampleSupport
import Tessera

Example.run { options, application in
  let account = try Example.account(options, in: application)
  let report = try application.signOut(SignOutRequest(account: account))
  let kinds = report.remaining.map(\.kind.rawValue)
  guard !options.json else {
    return Example.line([
      ("removed", .flag(!report.accounts.isEmpty)), ("remaining", .texts(kinds)),
    ])
  }
  Example.printLine("Signed out \(account.username ?? "the account").")
  for kind in kinds { Example.printLine("Remaining: \(kind)") }
}
