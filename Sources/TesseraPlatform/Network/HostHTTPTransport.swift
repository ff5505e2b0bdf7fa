// SPDX-License-Identifier: MIT
// The HTTP client of a host application as the transport of the engine.

package import TesseraEngine
package import TesseraWire

extension HostPorts {
  /// The transport of the engine over the HTTP client of the host application; nil if it has none.
  package func transport(timeout: Duration) -> (any Transport)? {
    transport.map { HostHTTPTransport($0, timeout: timeout, time: time) }
  }
}

/// The HTTP client of a host application.
package struct HostHTTPTransport: Transport {
  private let host: any HostTransport
  /// The timeout of one request.
  private let timeout: Duration
  private let time: any TimeSource

  /// Creates the transport of the engine.
  package init(_ host: any HostTransport, timeout: Duration, time: any TimeSource) {
    self.host = host
    self.timeout = timeout
    self.time = time
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    do throws(TesseraError) {
      try limits.check(time)
    } catch {
      var error = error
      error.isUnsent = true
      throw error
    }
    let response: TransportResponse
    do {
      response = try host.send(hostRequest(request, within: limits))
    } catch {
      throw failure(HostHTTPTransport.failure(error, of: request), after: limits)
    }
    // A response counts even after the limits: it may contain the only valid refresh token.
    guard HostHTTPTransport.statuses.contains(response.status) else {
      let error = TesseraError(
        .fixRequest, .invalidMember,
        "\"status\" must be between 100 and 599, not \(response.status).")
      throw failure(error, after: limits)
    }
    return HTTPResponse(
      status: response.status, headers: response.headers.map { HTTPHeader($0.name, $0.value) },
      body: response.body)
  }

  private func hostRequest(
    _ request: HTTPRequest, within limits: CallLimits
  ) -> TransportRequest {
    let left = limits.atMost(milliseconds: timeout.wholeMilliseconds, time).timeLeft(time)
    return TransportRequest(
      method: request.method, url: request.url,
      headers: request.headers.map { (name: $0.name, value: $0.value) }
        + [(name: "User-Agent", value: "tessera/\(TesseraVersion.text)")],
      body: request.body, timeout: left ?? timeout, cancellation: limits.cancellation)
  }

  /// Returns the error of a request without a response.
  private static func failure(_ error: any Error, of request: HTTPRequest) -> TesseraError {
    // The error of an HTTP client may quote the request. The secrets are removed before the text is shortened.
    let secrets = RequestSecrets(request)
    if var error = error as? TesseraError {
      error.message = secrets.removed(from: error.message)
      return error
    }
    let failure = error as? TransportFailure
    let reason =
      failure.map { $0.reason.nonBlank ?? "the host application gave no reason" }
      ?? String(describing: error).withoutParameters
    var error = TesseraError(
      .retryLater, .networkFailed,
      "The request to \(WebURL(request.url)?.authority ?? request.url) failed: \(secrets.removed(from: reason).plain(atMost: reasonLimit))."
    )
    error.isUnsent = failure?.isSent == false
    return error
  }

  /// Returns the error of a failed request: that of the limits if they were reached.
  private func failure(_ failure: TesseraError, after limits: CallLimits) -> TesseraError {
    do throws(TesseraError) {
      try limits.check(time)
      return failure
    } catch {
      var error = error
      error.isUnsent = failure.isUnsent
      return error
    }
  }

  /// The maximum length of a reason of the host, in Unicode scalars.
  private static let reasonLimit = 500
  private static let statuses = 100...599
}
