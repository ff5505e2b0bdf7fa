// SPDX-License-Identifier: MIT
// A request as a value: what a message becomes before a transport sends it.

/// An HTTP request.
public struct HTTPRequest: Sendable, Equatable {
  /// The method, such as `GET` or `POST`.
  public var method: String
  /// The absolute address.
  public var url: String
  /// Header fields in the order in which they are sent.
  public var headers: [HTTPHeader]
  /// The body; empty for none.
  public var body: [UInt8]

  /// A request.
  public init(method: String, url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// One header field of an HTTP message.
public struct HTTPHeader: Sendable, Equatable {
  /// The name; compared without regard to case.
  public var name: String
  /// The value.
  public var value: String

  /// A header field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPRequest {
  /// A GET that asks for JSON.
  package static func get(_ url: String) -> HTTPRequest {
    HTTPRequest(method: "GET", url: url, headers: [HTTPHeader("Accept", "application/json")])
  }

  /// A POST of form fields that asks for JSON.
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
  /// The first value of a header field; names compare without regard to case.
  package subscript(_ name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
