// SPDX-License-Identifier: MIT
// The port to the HTTP client of a host application.

import TesseraWire

/// The HTTP client of a host application, such as one with the proxy settings and the log of the application.
///
/// It sends requests with credentials, so it must fulfill these rules:
///
/// - Verify the server's certificate.
/// - Do not follow redirects, do not retry, and do not store cookies or responses.
/// - Use no proxy for a URL with http: it is on this machine, and the proxy could read its secrets.
///
/// ```swift
/// configuration.host.transport = OwnTransport()
/// ```
public protocol HostTransport: Sendable {
  /// Sends one request, and waits for its response.
  ///
  /// Called on the thread of the call, on several threads at the same time if there are several calls. It must not call
  /// functions of the same application.
  ///
  /// Return within ``TransportRequest/timeout``, and within 100 ms after ``TransportRequest/cancellation`` was triggered: the
  /// call ends only when the function returns. If a part of the response has arrived, receive the rest for up to two
  /// seconds: a late response counts, and may contain the only valid refresh token.
  ///
  /// - Returns: The response, with any status.
  /// - Throws: ``TransportFailure`` if no response was received. After any other error, the request counts as sent.
  func send(_ request: TransportRequest) throws -> TransportResponse
}

/// One HTTP request that a host application sends.
///
/// It contains secrets.
public struct TransportRequest: Sendable {
  /// The method, such as `GET` or `POST`.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// The header fields, in the order in which they are sent.
  public var headers: [(name: String, value: String)]
  /// The body; empty if there is none.
  public var body: [UInt8]
  /// The time for the whole request.
  public var timeout: Duration
  /// Ends the request early; `nil` for none.
  public var cancellation: Cancellation?

  /// Creates a request.
  public init(
    method: String, url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], timeout: Duration, cancellation: Cancellation? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.cancellation = cancellation
  }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The method and the host: the rest may contain secrets.
  public var description: String {
    "TransportRequest(\(method) \(WebURL(url)?.authority ?? "<redacted>"))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the properties in ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The response to one HTTP request of a host application.
public struct TransportResponse: Sendable {
  /// The status code, between 100 and 599.
  public var status: Int
  /// The header fields, in the order in which they were received.
  public var headers: [(name: String, value: String)]
  /// The body, without a content encoding.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The status: the rest may contain secrets.
  public var description: String { "TransportResponse(\(status))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the properties in ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}

/// The reason why a host application received no response to a request.
public struct TransportFailure: Error, Sendable, Hashable {
  /// The reason, for the message of the error.
  ///
  /// The library removes the secrets of the request from it.
  public var reason: String
  /// Whether a part of the request may have been sent.
  ///
  /// If not, the server cannot have used the credential in it, and the request can be repeated with the same one.
  public var isSent: Bool

  /// Creates the reason of a failure.
  public init(_ reason: String, isSent: Bool = true) {
    self.reason = reason
    self.isSent = isSent
  }
}
