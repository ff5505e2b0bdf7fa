// SPDX-License-Identifier: MIT
// Acquire a token without user interaction: from the cache, or with a refresh token.

import ExampleSupport
import Tessera

Example.run { options, application in
  var request: SilentRequest
  if let resource = options.resource {
    // As with ADAL: by a resource and the user ID, which is the user name.
    request = SilentRequest(resource: resource, userID: options.username ?? "")
  } else {
    let account = try Example.account(options, in: application)
    request = SilentRequest(account: account, scopes: options.scopes)
  }
  request.forcesRefresh = options.forceRefresh
  request.claims = options.claims
  Example.show(try application.acquireTokenSilent(request, cancellation: nil), options)
}
