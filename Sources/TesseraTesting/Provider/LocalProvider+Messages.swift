// SPDX-License-Identifier: MIT
// The HTTP messages of the local provider.

extension LocalProvider {
  /// An HTTP request to the provider.
  public struct Request: Sendable, Equatable {
    /// The method, such as `GET` or `POST`.
    public var method: String
    /// The URL; its origin is ignored.
    public var url: String
    /// The header fields.
    public var headers: [Header]
    /// The body; empty if there is none.
    public var body: [UInt8]

    /// Creates a request.
    public init(method: String = "GET", url: String, headers: [Header] = [], body: [UInt8] = []) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// An HTTP response of the provider.
  public struct Response: Sendable, Equatable {
    /// The status code.
    public let status: Int
    /// The header fields.
    public let headers: [Header]
    /// The body.
    public let body: [UInt8]
  }

  /// A header field.
  public struct Header: Sendable, Equatable {
    /// The name, which is compared without regard to case.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
