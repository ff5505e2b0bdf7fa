// SPDX-License-Identifier: MIT
// Import the sign-ins that an older library, such as ADAL, stored in a file.

import ExampleSupport
import Tessera

Example.run { options, application in
  let report = try application.migrate(MigrationRequest(path: options.file))
  if options.json {
    let objects: [[(String, Example.Value)]] = report.accounts.map {
      [
        ("username", .text($0.username)), ("outcome", .text($0.outcome.rawValue)),
        ("reason", .text($0.reason?.rawValue ?? "")),
      ]
    }
    Example.line([("format", .text(report.format.rawValue)), ("accounts", .list(objects))])
  } else {
    for account in report.accounts {
      print(
        account.username, account.outcome.rawValue, account.reason?.advice ?? "-", separator: "\t")
    }
  }
}
