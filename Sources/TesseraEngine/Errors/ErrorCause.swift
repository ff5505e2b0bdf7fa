// SPDX-License-Identifier: MIT
// What led to an error: what a library, the system or an earlier call said.

import TesseraWire

/// One link of the chain that led to an error: what something below Tessera said, or an earlier error of Tessera's own.
///
/// It is for a developer who looks for the fault. It holds no secret: numbers, and the words that belong to them.
public struct ErrorCause: Error, Sendable, Hashable {
  /// Whose number or name it is.
  ///
  /// The set is open: new ones may be added.
  public struct Domain: RawRepresentable, Sendable, Hashable {
    /// The name, in snake case.
    public let rawValue: String

    /// A domain with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Tessera itself: ``ErrorCause/code`` is the code of an earlier error.
    public static let tessera = Domain(rawValue: "tessera")
    /// Who keeps the key of the store: ``ErrorCause/code`` is the `problem` of an attempt of ``StoreInfo``.
    public static let keySource = Domain(rawValue: "key_source")
    /// A server: the number is the status of its answer (RFC 9110 section 15).
    public static let http = Domain(rawValue: "http")
    /// libcurl: the number is its result (`CURLcode`).
    public static let libcurl = Domain(rawValue: "libcurl")
    /// SQLite: the number is its result code.
    public static let sqlite = Domain(rawValue: "sqlite")
    /// Microsoft Authenticator: the number is its `broker_error_code`.
    public static let authenticator = Domain(rawValue: "authenticator")
    /// Another broker: the number is that of its own error, such as of `MSIDErrorDomain`; the code is why that of Linux was
    /// skipped.
    public static let broker = Domain(rawValue: "broker")
    /// The operating system: the number is `errno`.
    public static let system = Domain(rawValue: "system")
  }

  /// Whose number or name it is.
  public let domain: Domain
  /// The number; nil where there is a code.
  public let number: Int64?
  /// The code of an earlier error, or of what is wrong with a source of keys; nil where there is a number.
  public let code: String?
  /// What it means, for a developer: one line.
  public let message: String

  /// A chain is no longer than this.
  static let limit = 8

  /// What something below Tessera said.
  package init(_ domain: Domain, _ number: Int64, _ message: String) {
    self.domain = domain
    self.number = number
    code = nil
    self.message = message.plain(atMost: 500)
  }

  /// What something that has names instead of numbers said.
  package init(_ domain: Domain, code: String, _ message: String) {
    self.domain = domain
    number = nil
    self.code = code
    self.message = message.plain(atMost: 500)
  }
}

extension ErrorCause: CustomStringConvertible {
  /// The domain, the number or the code, and the message.
  public var description: String {
    let name = number.map(String.init) ?? code ?? ""
    return "\(domain.rawValue) \(name): \(message)"
  }
}

extension ErrorCause {
  /// The members of a cause in the document "Error".
  var json: JSONValue {
    var json = JSONObject()
    json.append("domain", domain.rawValue)
    if let number { json.append("number", .integer(number)) }
    json.append("code", code)
    json.append("message", message)
    return .object(json)
  }

  /// A cause as it was remembered; nil if it is none.
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
  /// The same with another cause, nearest to it.
  package func caused(by cause: ErrorCause) -> TesseraError {
    var error = self
    error.causes = Array(([cause] + causes).prefix(ErrorCause.limit))
    return error
  }

  /// The same with an earlier error, and what had led to that.
  package func caused(by other: TesseraError) -> TesseraError {
    var error = self
    let links = [ErrorCause(.tessera, code: other.code.rawValue, other.message)] + other.causes
    error.causes = Array((causes + links).prefix(ErrorCause.limit))
    return error
  }
}
