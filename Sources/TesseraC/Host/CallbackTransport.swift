// SPDX-License-Identifier: MIT
// The HTTP client of the host application, as that of the engine.

import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// An HTTP client that calls the host's callback.
struct CallbackTransport: HostTransport {
  private let callbacks: HostCallbacks
  /// The clock of the application, which sets the deadlines of its calls.
  private let time: any TimeSource

  init(_ callbacks: HostCallbacks, time: any TimeSource) {
    self.callbacks = callbacks
    self.time = time
  }

  func send(_ request: TransportRequest) throws -> TransportResponse {
    let exchange = HostExchange(request, time: time, callbackGuard: callbacks.callbackGuard)
    guard let text = CBridge.copy(CallbackTransport.document(of: request).bytes) else {
      throw TransportFailure("the process is out of memory", isSent: false)
    }
    defer { CBridge.free(text) }
    guard callbacks.send(text, exchange) else {
      throw TransportFailure("the application was freed", isSent: false)
    }
    guard let result = exchange.result else {
      throw TransportFailure("the host application returned no response")
    }
    return try result.get()
  }

  /// Returns the document "TransportRequest" of a request.
  private static func document(of request: TransportRequest) -> JSONValue {
    var document = JSONObject()
    document["method"] = .string(request.method)
    document["url"] = .string(request.url)
    document["headers"] = .array(request.headers.map { .string("\($0.name): \($0.value)") })
    if !request.body.isEmpty {
      document["body"] = .string(String(decoding: request.body, as: UTF8.self))
    }
    // Many clients interpret 0 as no timeout.
    document["timeout_milliseconds"] = .integer(max(request.timeout.wholeMilliseconds, 1))
    return .object(document)
  }
}

/// A request that the host sends, and its response.
///
/// The host uses it on the thread of the callback.
final class HostExchange: Sendable {
  private let limits: CallLimits
  private let time: any TimeSource
  private let callbackGuard: CallbackGuard
  private let response = SpinLock<Result<TransportResponse, any Error>?>(nil)

  init(_ request: TransportRequest, time: any TimeSource, callbackGuard: CallbackGuard) {
    limits = CallLimits(timeout: request.timeout, cancellation: request.cancellation, time: time)
    self.time = time
    self.callbackGuard = callbackGuard
  }

  /// Whether the host should abort the request.
  var isCancelled: Bool {
    limits.cancellation?.isCancelled == true || limits.nanosecondsLeft(time) == 0
      || callbackGuard.isClosed
  }

  /// The response; nil if the host has not responded.
  var result: Result<TransportResponse, any Error>? { response.withLock { $0 } }

  /// Stores the first response of the host.
  ///
  /// - Parameter text: A document "TransportResponse".
  func respond(_ text: UnsafePointer<CChar>?) {
    let parsed = Result { try parse(TransportResponseMembers(text, "response")) }
    response.withLock { $0 = $0 ?? parsed }
  }

  private func parse(_ members: TransportResponseMembers) throws -> TransportResponse {
    let (status, headers, body) = (try members.status, try members.headers, try members.body)
    if let reason = try members.error {
      guard status == nil, headers == nil, body == nil else {
        throw HostExchange.invalid(
          "Pass either \"status\", \"headers\" and \"body\", or \"error\" and \"sent\".")
      }
      throw TransportFailure(reason, isSent: try members.sent ?? true)
    }
    let code = try members.required("status", status)
    guard try members.sent != false else {
      throw HostExchange.invalid("\"sent\": false requires \"error\" instead of \"status\".")
    }
    var fields: [(name: String, value: String)] = []
    for (index, line) in (headers ?? []).enumerated() {
      guard let field = HostExchange.field(line) else {
        throw HostExchange.invalid(
          "\"headers\" must be an array of \"Name: value\" lines; element \(index) is not one.")
      }
      fields.append(field)
    }
    return TransportResponse(
      status: Int(code), headers: fields, body: Array((body ?? "").utf8))
  }

  /// Returns the header field of a line; nil if it has no name or contains a control character.
  private static func field(_ line: String) -> (name: String, value: String)? {
    let line = line.trimmed
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
      line.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { return nil }
    return (
      String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed
    )
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidMember, message)
  }
}
