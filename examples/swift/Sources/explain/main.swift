// SPDX-License-Identifier: MIT
// Explain the result of get_token, with all tokens that the store has for the account.

import ExampleSupport
import Tessera

Example.run { options, application in
  let account = try Example.account(options, in: application)
  var request = SilentRequest(account: account, scopes: options.scopes)
  request.forcesRefresh = options.forceRefresh
  let found = try application.explain(request)
  guard !options.json else {
    return Example.line([
      ("decision", .text(found.decision.rawValue)), ("reason", .text(found.reason)),
      ("candidates", .number(Int64(found.candidates.count))),
    ])
  }
  Example.printLine("\(found.decision.rawValue) (\(found.reason)): \(found.message)")
  for token in found.candidates {
    Example.printLine("  \(token.role.rawValue): \(token.credentialType)")
  }
}
