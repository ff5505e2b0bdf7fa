// SPDX-License-Identifier: MIT
// The Authorization header of a request to a resource.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AuthorizationHeaderTests {
  private let bench = TestBench()

  @Test func `authorizationHeader contains the access token, and its description is redacted`()
    throws
  {
    let application = try bench.application()
    let token = try bench.signIn(application)
    #expect(token.authorizationHeader.reveal() == "Bearer " + token.accessToken.reveal())
    #expect(String(describing: token.authorizationHeader) == "<redacted>")
  }
}
