// SPDX-License-Identifier: MIT
// Sends requests to servers and parses their responses.

package import TesseraWire

/// The context in which one call communicates with servers.
package struct ServerClient: Sendable {
  /// The response of a server.
  package enum Outcome: Sendable {
    /// A successful response with its document.
    case success(ReceivedDocument)
    /// An error response.
    case errorResponse(ServerError)
  }

  package let dependencies: Dependencies
  package var limits: CallLimits
  /// The correlation ID, sent to Microsoft's authorities and reported in errors; empty before ``identified()``.
  package private(set) var correlationID: String
  /// The account of the request, by which Entra routes it to its region; `nil` to omit the header field.
  package var homeAccountID: String?
  /// The telemetry for Entra; `nil` for none.
  var telemetry: CallTelemetry?

  /// Creates the context of one call.
  package init(_ dependencies: Dependencies, limits: CallLimits, correlationID: String? = nil) {
    self.dependencies = dependencies
    self.limits = limits
    self.correlationID = correlationID ?? ""
  }

  /// Returns the context with a correlation ID.
  ///
  /// Only a call that sends a request needs one.
  package func identified() -> ServerClient {
    guard correlationID.isEmpty else { return self }
    var serverClient = self
    serverClient.correlationID = dependencies.randomness.uuid()
    return serverClient
  }

  /// Returns the context with other limits.
  package func within(_ limits: CallLimits) -> ServerClient {
    var serverClient = self
    serverClient.limits = limits
    return serverClient
  }

  /// Sends a request to an endpoint of an authority.
  package func send(
    _ request: HTTPRequest, to authority: Authority
  ) throws(TesseraError) -> Outcome {
    let response = try response(to: request, at: authority)
    let sent = RequestSecrets(request)
    if let errorResponse = ServerError(response, sent: sent) {
      return .errorResponse(errorResponse)
    }
    guard let json = response.json else { throw unreadable(response, to: request) }
    return .success(ReceivedDocument(json, responseTime(of: response), sent: sent))
  }

  private func unreadable(_ response: HTTPResponse, to request: HTTPRequest) -> TesseraError {
    let origin = WebURL(request.url)?.origin ?? ""
    var error = TesseraError(
      .retryLater, .invalidResponse,
      "The response of \(origin) is not a JSON object; possibly a proxy or a captive portal responded instead."
    ).caused(by: TesseraError.Cause(status: response.status))
    let sent = RequestSecrets(request)
    error.correlationID =
      sent.removed(from: response.correlationID) ?? (correlationID.isEmpty ? nil : correlationID)
    error.traceID = sent.removed(from: response.traceID)
    return error
  }

  /// Sends a request with a response that has no content, such as a revocation.
  ///
  /// - Throws: The error of an error response.
  package func sendWithoutContent(_ request: HTTPRequest, to authority: Authority)
    throws(TesseraError)
  {
    let response = try response(to: request, at: authority)
    guard let errorResponse = ServerError(response, sent: RequestSecrets(request)) else { return }
    throw TesseraError(errorResponse, correlationID: correlationID)
  }

  private func response(
    to request: HTTPRequest, at authority: Authority
  ) throws(TesseraError) -> HTTPResponse {
    var request = request
    request.headers += headers(to: authority)
    let origin = WebURL(request.url)?.origin ?? ""
    try TesseraError.beforeSending { () throws(TesseraError) in
      try limits.check(dependencies.time)
    }
    dependencies.log.write(.detail, "\(request.method) \(origin), correlation ID \(correlationID)")
    let response = try dependencies.transport.send(request, within: limits)
    dependencies.log.write(.detail, "\(origin) returned status \(response.status)")
    return response
  }

  private func responseTime(of response: HTTPResponse) -> ResponseTime {
    let time = dependencies.time
    let responseTime = ResponseTime(of: response, at: time.now, bootTime: time.bootTime)
    if responseTime.serverAheadSeconds.magnitude > 300 {
      dependencies.log.write(
        .warning,
        "The clock of this machine is \(responseTime.serverAheadSeconds.magnitude) seconds \(responseTime.serverAheadSeconds > 0 ? "behind" : "ahead of") the server's."
      )
    }
    return responseTime
  }

  /// Fetches a discovery document.
  package func document(
    _ request: HTTPRequest, of authority: Authority
  ) throws(TesseraError) -> JSONObject {
    switch try send(request, to: authority) {
    case .success(let document): return document.json
    case .errorResponse(let errorResponse) where errorResponse.isTemporary:
      throw TesseraError(errorResponse, correlationID: correlationID)
    case .errorResponse(let errorResponse)
    where errorResponse.status < 400 && errorResponse.error == nil:
      // A captive portal redirects. The authority itself may be valid.
      throw TesseraError(
        .retryLater, .invalidResponse,
        "The discovery request to \(authority.text) returned status \(errorResponse.status); possibly a proxy or a captive portal responded instead."
      ).caused(by: TesseraError.Cause(status: errorResponse.status))
    case .errorResponse(let errorResponse):
      var error = TesseraError(errorResponse, correlationID: correlationID)
      error.remedy = .fixConfiguration
      error.code = .invalidAuthority
      error.message =
        "\(authority.text) is not a valid authority: its discovery request returned status \(errorResponse.status)."
        + authority.entraHint()
      throw error
    }
  }
}

extension TesseraError {
  /// Runs a parser of server messages, and converts its errors.
  ///
  /// - Parameter sent: The secrets of the request, which are removed from the error message.
  package static func wrapping<Value>(
    without sent: RequestSecrets = RequestSecrets(), _ body: () throws(WireError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(WireError) {
      return try body()
    } catch {
      throw TesseraError(WireError(error.code, sent.removed(from: error.message)))
    }
  }
}
