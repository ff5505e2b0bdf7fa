// SPDX-License-Identifier: MIT
// List the signed-in accounts of all applications that share the token store.

import ExampleSupport
import Tessera

Example.run { options, application in
  let accounts = try application.accounts()
  if options.json {
    let objects: [[(String, Example.Value)]] = accounts.map {
      [
        ("home_account_id", .text($0.homeAccountID)), ("environment", .text($0.environment)),
        ("username", .text($0.username ?? "-")),
      ]
    }
    Example.line([("accounts", .list(objects))])
  } else {
    for account in accounts {
      print(account.username ?? "-", account.environment, account.homeAccountID, separator: "\t")
    }
  }
}
