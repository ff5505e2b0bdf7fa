// SPDX-License-Identifier: MIT
// HTTP requests as values, independent of the transport that sends them.

/// An HTTP request.
public struct HTTPRequest: Sendable, Equatable {
  /// The method, such as `GET` or `POST`.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// The header fields, in the order in which they are sent.
  public var headers: [HTTPHeader]
  /// The body; empty if there is none.
  public var body: [UInt8]
  /// Whether the request contains a credential that can be redeemed once, so that its response must not be lost.
  package var spendsCredential = false

  /// Creates a request.
  public init(method: String, url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A header field of an HTTP message.
public struct HTTPHeader: Sendable, Equatable {
  /// The name, which is compared without regard to case.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a header field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPRequest {
  /// Creates a GET request that accepts JSON.
  package static func get(_ url: String) -> HTTPRequest {
    HTTPRequest(method: "GET", url: url, headers: [HTTPHeader("Accept", "application/json")])
  }

  /// Creates a POST request with a form body that accepts JSON.
  package static func post(_ url: String, _ form: FormFields) -> HTTPRequest {
    HTTPRequest(
      method: "POST", url: url,
      headers: [
        HTTPHeader("Accept", "application/json"),
        HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
      ],
      body: Array(form.encoded.utf8))
  }
}

extension [HTTPHeader] {
  /// Returns the first value of a header field; nil if there is none.
  ///
  /// Ignores the case of the name.
  package subscript(_ name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
