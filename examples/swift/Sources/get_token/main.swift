// SPDX-License-Identifier: MIT
// Get a token without asking the person: from the cache, or with a refresh token.

import ExampleSupport
import Tessera

Example.run { options, application in
  let account = try Example.account(options, in: application)
  var request = SilentRequest(account: account, scopes: options.scopes)
  request.forcesRefresh = options.forceRefresh
  request.claims = options.claims
  Example.show(try application.acquireTokenSilent(request), options)
}
