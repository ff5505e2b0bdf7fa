// SPDX-License-Identifier: MIT
// HTTP requests as values, independent of the transport that sends them.

/// An HTTP request.
package struct HTTPRequest: Sendable, Equatable {
  /// The method, such as `GET` or `POST`.
  package var method: String
  /// The absolute URL.
  package var url: String
  /// The header fields, in the order in which they are sent.
  package var headers: [HTTPHeader]
  /// The body; empty if there is none.
  package var body: [UInt8]
  /// Whether the request contains a credential that can be redeemed once, so that its response must not be lost.
  package var spendsCredential = false

  /// Creates a request.
  package init(method: String, url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A header field of an HTTP message.
package struct HTTPHeader: Sendable, Equatable {
  /// The name, which is compared without regard to case.
  package var name: String
  /// The value.
  package var value: String

  /// Creates a header field.
  package init(_ name: String, _ value: String) {
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
