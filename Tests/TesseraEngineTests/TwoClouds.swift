// SPDX-License-Identifier: MIT
// A transport for two clouds: the government cloud and the public one.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// A transport that connects to two clouds.
struct TwoClouds: Transport {
  let world: LocalTransport
  let government: LocalTransport

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let isForeignAccount = WebURL(request.url)?.host == "login.microsoftonline.us"
    return try (isForeignAccount ? government : world).send(request, within: limits)
  }
}
