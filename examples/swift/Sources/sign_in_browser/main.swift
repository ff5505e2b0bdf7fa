// SPDX-License-Identifier: MIT
// Sign in with a browser: open the provider's page, and wait for the redirect.

import ExampleSupport
import Tessera

Example.run { options, application in
  var request = InteractiveRequest(scopes: options.scopes)
  request.claims = options.claims
  let token = try application.acquireTokenInteractive(request, cancellation: nil) { prompt in
    if options.json {
      Example.line([("url", .text(prompt.url))])
    } else if prompt.opensBrowser {
      Example.printLine("A browser opens. If it does not, open this page: \(prompt.url)")
    } else {
      Example.printLine("Open this page: \(prompt.url)")
    }
  }
  Example.show(token, options)
}
