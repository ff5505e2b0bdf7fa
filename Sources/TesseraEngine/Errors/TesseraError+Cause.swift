// SPDX-License-Identifier: MIT
// The cause of an error: an error of a library, of the system or of an earlier call.

import TesseraWire

extension TesseraError {
  /// One link of the chain of causes of an error: an error from outside Tessera, or an earlier error of Tessera.
  ///
  /// It is for developers. It contains no secrets, only error numbers and their descriptions.
  public struct Cause: Error, Sendable, Hashable {
    /// The source of an error number or error code.
    ///
    /// The set is open: new domains may be added.
    public struct Domain: RawRepresentable, Sendable, Hashable {
      /// The name, in snake case.
      public let rawValue: String

      /// Creates a domain with a name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Tessera itself.
      ///
      /// ``TesseraError/Cause/code`` is the code of an earlier error.
      public static let tessera = Domain(rawValue: "tessera")
      /// A key source.
      ///
      /// ``TesseraError/Cause/code`` is the `problem` of an attempt in ``StoreInfo``.
      public static let keySource = Domain(rawValue: "key_source")
      /// A server.
      ///
      /// The number is the status of its response (RFC 9110 section 15).
      public static let http = Domain(rawValue: "http")
      /// libcurl.
      ///
      /// The number is its result (`CURLcode`).
      public static let libcurl = Domain(rawValue: "libcurl")
      /// SQLite.
      ///
      /// The number is its result code.
      public static let sqlite = Domain(rawValue: "sqlite")
      /// Microsoft Authenticator.
      ///
      /// The number is its `broker_error_code`.
      public static let authenticator = Domain(rawValue: "authenticator")
      /// Another broker.
      ///
      /// The number is that of the broker's error, for example of `MSIDErrorDomain`. The code is the reason why the Linux
      /// broker was skipped.
      public static let broker = Domain(rawValue: "broker")
      /// The operating system.
      ///
      /// The number is `errno`.
      public static let system = Domain(rawValue: "system")
    }

    /// The source of the number or code.
    public let domain: Domain
    /// The error number; `nil` if there is a code.
    public let number: Int64?
    /// The code of an earlier error, or of the problem of a key source; `nil` if there is a number.
    public let code: String?
    /// A description for developers, in one line.
    public let message: String

    /// The maximum length of the chain.
    static let limit = 8

    /// Creates a cause with an error number.
    public init(_ domain: Domain, _ number: Int64, _ message: String) {
      self.domain = domain
      self.number = number
      code = nil
      self.message = message.plain(atMost: 500)
    }

    /// Creates a cause with an error code.
    public init(_ domain: Domain, code: String, _ message: String) {
      self.domain = domain
      number = nil
      self.code = code
      self.message = message.plain(atMost: 500)
    }
  }
}

extension TesseraError.Cause: CustomStringConvertible {
  /// The domain, the number or the code, and the message.
  public var description: String {
    let name = number.map(String.init) ?? code ?? ""
    return "\(domain.rawValue) \(name): \(message)"
  }
}

extension TesseraError.Cause {
  /// The cause as JSON, for the document "Error".
  var json: JSONValue {
    var json = JSONObject()
    json.append("domain", domain.rawValue)
    if let number { json.append("number", .integer(number)) }
    json.append("code", code)
    json.append("message", message)
    return .object(json)
  }

  /// Parses a recorded cause.
  ///
  /// Returns `nil` if it is not one.
  init?(_ json: JSONValue) {
    guard let name = json.object?["domain"]?.string else { return nil }
    let domain = Domain(rawValue: name.plain(atMost: 50))
    let message = json.object?["message"]?.string ?? ""
    if let number = json.object?["number"]?.integer {
      self.init(domain, number, message)
    } else if let code = json.object?["code"]?.string {
      self.init(domain, code: code.plain(atMost: 50), message)
    } else {
      return nil
    }
  }
}

extension TesseraError {
  /// Returns the error with another cause added at the front of the chain.
  package func caused(by cause: TesseraError.Cause) -> TesseraError {
    var error = self
    error.causes = Array(([cause] + causes).prefix(TesseraError.Cause.limit))
    return error
  }

  /// Returns the error with an earlier error and its causes added at the end of the chain.
  package func caused(by other: TesseraError) -> TesseraError {
    var error = self
    let links =
      [TesseraError.Cause(.tessera, code: other.code.rawValue, other.message)] + other.causes
    error.causes = Array((causes + links).prefix(TesseraError.Cause.limit))
    return error
  }
}
