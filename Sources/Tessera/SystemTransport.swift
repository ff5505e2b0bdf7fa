// SPDX-License-Identifier: MIT
// The HTTP client of the library, for programs that add to it.

import TesseraEngine
import TesseraPlatform
import TesseraWire

/// The HTTP client of the library: libcurl, with the proxy and the trusted certificates of this machine.
///
/// A ``HostTransport`` of an application can forward requests to it. A program can also use it to send other requests under the
/// same rules.
public struct SystemTransport: HostTransport {
  private let transport: CurlTransport
  private let time = SystemTime()

  /// Creates a client without loading libcurl.
  public init() {
    var settings = NetworkSettings()
    settings.userAgent = "tessera/\(TesseraVersion.text)"
    // The timeout of each request is the limit.
    settings.totalTimeoutMilliseconds = .max
    transport = CurlTransport(settings, time: time)
  }

  /// Sends one request, and waits for its response.
  ///
  /// - Returns: The response, with any status. Redirects are not followed.
  /// - Throws: ``TesseraError`` if no response was received.
  public func send(_ request: TransportRequest) throws(TesseraError) -> TransportResponse {
    let response = try transport.send(
      HTTPRequest(
        method: request.method, url: request.url,
        headers: request.headers.map { HTTPHeader($0.name, $0.value) }, body: request.body),
      within: CallLimits(
        timeout: request.timeout, cancellation: request.cancellation, time: time))
    return TransportResponse(
      status: response.status, headers: response.headers.map { (name: $0.name, value: $0.value) },
      body: response.body)
  }
}
