// SPDX-License-Identifier: MIT
// Token requests of all grants, with the optional telemetry for Entra.

import TesseraWire

extension ServerClient {
  /// Sends a token request.
  ///
  /// - Throws: `stackTooSmall` if the stack is too small to store the response, because a credential can be redeemed only
  ///   once.
  func redeem(
    _ request: TokenRequest, at endpoint: String, of authority: Authority
  ) throws(TesseraError) -> Outcome {
    try TesseraError.beforeSending { () throws(TesseraError) in
      try dependencies.stack.check(.credential)
    }
    var message = request.httpRequest(to: endpoint)
    message.spendsCredential = true
    guard let telemetry, authority.type == .entra else { return try send(message, to: authority) }
    let host = authority.address.authority
    let report = telemetry.history.report(to: host)
    message.headers += [
      HTTPHeader("x-client-current-telemetry", telemetry.current.text),
      HTTPHeader("x-client-last-telemetry", report.text),
    ]
    do throws(TesseraError) {
      let outcome = try send(message, to: authority)
      switch outcome {
      case .success: telemetry.history.removeReported(report, at: host)
      case .errorResponse(let errorResponse) where errorResponse.isPending: break
      case .errorResponse(let errorResponse):
        var error = TesseraError(ofCode: errorResponse, correlationID: correlationID)
        if case .refreshToken = request.grant {
          error = TesseraError(errorResponse, correlationID: correlationID)
        }
        record(error, telemetry, at: host)
      }
      return outcome
    } catch {
      record(error, telemetry, at: host)
      throw error
    }
  }

  /// Records the failure of a request, unless the user or the application cancelled it.
  private func record(_ error: TesseraError, _ telemetry: CallTelemetry, at host: String) {
    guard error.remedy != .cancelled else { return }
    telemetry.history.record(
      LastTelemetry.Failure(
        apiID: telemetry.current.apiID, correlationID: correlationID, error: error.code.rawValue),
      at: host)
  }
}
