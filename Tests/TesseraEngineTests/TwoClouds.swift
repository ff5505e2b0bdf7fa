// SPDX-License-Identifier: MIT
// Two clouds for tests: what is asked of the one of the government goes there, and all else to the other one.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// A network on which two clouds are reached.
struct TwoClouds: Transport {
  let world: LocalTransport
  let government: LocalTransport

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let isElsewhere = WebAddress(request.url)?.host == "login.microsoftonline.us"
    return try (isElsewhere ? government : world).send(request, within: limits)
  }
}
