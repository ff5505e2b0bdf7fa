// SPDX-License-Identifier: MIT
// A transport for two clouds: the government cloud and the public one.

package import TesseraEngine
package import TesseraTesting
package import TesseraWire

/// A transport that connects to two clouds.
package struct TwoClouds: Transport {
  package let world: LocalTransport
  package let government: LocalTransport

  package init(world: LocalTransport, government: LocalTransport) {
    self.world = world
    self.government = government
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let isForeignAccount = WebURL(request.url)?.host == "login.microsoftonline.us"
    return try (isForeignAccount ? government : world).send(request, within: limits)
  }
}
