// SPDX-License-Identifier: MIT
// Sign in with a device code: show the code, and wait until the user has entered it.

import ExampleSupport
import Tessera

Example.run { options, application in
  let request = DeviceCodeRequest(scopes: options.scopes, claims: options.claims)
  let token = try application.acquireTokenByDeviceCode(request, cancellation: nil) { prompt in
    if options.json {
      Example.line([
        ("user_code", .text(prompt.userCode)),
        ("verification_uri", .text(prompt.verificationURI)),
      ])
    } else {
      Example.printLine("Open this page:  \(prompt.verificationURI)")
      Example.printLine("Enter this code: \(prompt.userCode)")
    }
  }
  Example.show(token, options)
}
