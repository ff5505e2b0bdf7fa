// SPDX-License-Identifier: MIT
// List the accounts of this machine's identity broker, including those not signed in here.

import ExampleSupport
import Tessera

Example.run { options, application in
  let accounts = try application.brokerAccounts()
  if options.json {
    let objects: [[(String, Example.Value)]] = accounts.map {
      [
        ("home_account_id", .text($0.homeAccountID)), ("username", .text($0.username ?? "-")),
        ("name", .text($0.name ?? "-")),
      ]
    }
    Example.line([("accounts", .list(objects))])
  } else {
    for account in accounts {
      print(account.username ?? "-", account.name ?? "-", account.homeAccountID, separator: "\t")
    }
  }
}
