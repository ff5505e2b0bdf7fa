// SPDX-License-Identifier: MIT
// The transport of the host application, as a transport of the engine.

import CTessera
import Tessera
import TesseraEngine
import TesseraWire

/// A transport that calls the host's callback.
struct CallbackTransport: Transport {
  private let callbacks: HostCallbacks
  private let timeout: Duration
  /// The clock of the application, which set the deadlines of its calls.
  private let time: any TimeSource

  /// Creates a transport.
  ///
  /// - Parameter timeout: The timeout of one request.
  init(_ callbacks: HostCallbacks, timeout: Duration, time: any TimeSource) {
    self.callbacks = callbacks
    self.timeout = timeout
    self.time = time
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    do throws(TesseraError) {
      try limits.check(time)
    } catch {
      var error = error
      error.isUnsent = true
      throw error
    }
    let exchangeLimits = limits.atMost(milliseconds: timeout.wholeMilliseconds, time)
    let exchange = HostExchange(
      request, limits: exchangeLimits, time: time, callbackGuard: callbacks.callbackGuard)
    let document = CallbackTransport.document(of: request, within: exchangeLimits, time)
    guard let text = CBridge.copy(document.bytes) else {
      throw exchange.failed("the process is out of memory", isUnsent: true)
    }
    defer { CBridge.free(text) }
    guard callbacks.send(text, exchange) else {
      throw exchange.failed("the application was freed", isUnsent: true)
    }
    // A response counts even after the limits: it may contain the only valid refresh token.
    switch exchange.result {
    case .success(let response)?: return response
    case .failure(let error)?: throw CallbackTransport.error(error, after: limits, time)
    case nil:
      throw CallbackTransport.error(
        exchange.failed("the host application returned no response"), after: limits, time)
    }
  }

  /// Returns the error of a failed request: that of the limits if they were reached.
  private static func error(
    _ failure: TesseraError, after limits: CallLimits, _ time: any TimeSource
  ) -> TesseraError {
    do throws(TesseraError) {
      try limits.check(time)
      return failure
    } catch {
      var error = error
      error.isUnsent = failure.isUnsent
      return error
    }
  }

  /// Returns the document "TransportRequest" of a request.
  private static func document(
    of request: HTTPRequest, within limits: CallLimits, _ time: any TimeSource
  ) -> JSONValue {
    var document = JSONObject()
    document["method"] = .string(request.method)
    document["url"] = .string(request.url)
    let fields =
      request.headers.map { "\($0.name): \($0.value)" }
      + ["User-Agent: tessera/\(TesseraVersion.text)"]
    document["headers"] = .array(fields.map { .string($0) })
    if !request.body.isEmpty {
      document["body"] = .string(String(decoding: request.body, as: UTF8.self))
    }
    // Many clients interpret 0 as no timeout.
    let left = max((limits.nanosecondsLeft(time) ?? 0) / 1_000_000, 1)
    document["timeout_milliseconds"] = .integer(Int64(clamping: left))
    return .object(document)
  }
}

/// A request that the host sends, and its response.
///
/// The host uses it on the thread of the callback.
final class HostExchange: Sendable {
  private let host: String
  private let secrets: RequestSecrets
  private let limits: CallLimits
  private let time: any TimeSource
  private let callbackGuard: CallbackGuard
  private let response = SpinLock<Result<HTTPResponse, TesseraError>?>(nil)

  init(
    _ request: HTTPRequest, limits: CallLimits, time: any TimeSource,
    callbackGuard: CallbackGuard
  ) {
    host = WebURL(request.url)?.authority ?? request.url
    secrets = RequestSecrets(request)
    self.limits = limits
    self.time = time
    self.callbackGuard = callbackGuard
  }

  /// Whether the host should abort the request.
  var isCancelled: Bool {
    limits.cancellation?.isCancelled == true || limits.nanosecondsLeft(time) == 0
      || callbackGuard.isClosed
  }

  /// The response; nil if the host has not responded.
  var result: Result<HTTPResponse, TesseraError>? { response.withLock { $0 } }

  /// Stores the first response of the host.
  ///
  /// - Parameter text: A document "TransportResponse".
  func respond(_ text: UnsafePointer<CChar>?) {
    let parsed: Result<HTTPResponse, TesseraError>
    do throws(TesseraError) {
      parsed = .success(try parse(try TransportResponseMembers(text, "response")))
    } catch {
      // The error of an HTTP client may quote the request, and so may the name of an unknown member.
      var error = error
      error.message = secrets.removed(from: error.message)
      parsed = .failure(error)
    }
    response.withLock { $0 = $0 ?? parsed }
  }

  /// Returns the error of a request without a response.
  func failed(_ reason: String, isUnsent: Bool = false) -> TesseraError {
    var error = TesseraError(
      .retryLater, .networkFailed,
      "The request to \(host) failed: \(reason.plain(atMost: HostExchange.reasonLimit)).")
    error.isUnsent = isUnsent
    return error
  }

  /// The maximum length of a reason of the host, in Unicode scalars.
  private static let reasonLimit = 500

  private func parse(_ members: TransportResponseMembers) throws(TesseraError) -> HTTPResponse {
    let (status, headers, body) = (try members.status, try members.headers, try members.body)
    if let reason = try members.error {
      guard status == nil, headers == nil, body == nil else {
        throw HostExchange.invalid(
          "Pass either \"status\", \"headers\" and \"body\", or \"error\" and \"sent\".")
      }
      // The secrets are removed before the text is shortened.
      throw failed(
        secrets.removed(from: reason.nonBlank ?? "the host application gave no reason"),
        isUnsent: try members.sent == false)
    }
    let code = try members.required("status", status)
    guard try members.sent != false else {
      throw HostExchange.invalid("\"sent\": false requires \"error\" instead of \"status\".")
    }
    guard HostExchange.statuses.contains(code) else {
      throw HostExchange.invalid("\"status\" must be between 100 and 599, not \(code).")
    }
    var fields: [HTTPHeader] = []
    for (index, line) in (headers ?? []).enumerated() {
      guard let field = HostExchange.field(line) else {
        throw HostExchange.invalid(
          "\"headers\" must be an array of \"Name: value\" lines; element \(index) is not one.")
      }
      fields.append(field)
    }
    return HTTPResponse(
      status: Int(code), headers: fields, body: Array((body ?? "").utf8))
  }

  /// Returns the header field of a line; nil if it has no name or contains a control character.
  private static func field(_ line: String) -> HTTPHeader? {
    let line = line.trimmed
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
      line.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { return nil }
    return HTTPHeader(
      String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed)
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidMember, message)
  }

  private static let statuses: ClosedRange<Int64> = 100...599
}
