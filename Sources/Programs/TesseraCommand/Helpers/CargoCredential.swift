// SPDX-License-Identifier: MIT
// The protocol of Cargo's credential providers, version 1: one JSON document on each line.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A request of Cargo.
struct CargoRequest: Decodable {
  /// A registry, without the members that the helper does not need.
  struct Registry: Decodable {
    let indexURL: String

    private enum CodingKeys: String, CodingKey {
      case indexURL = "index-url"
    }
  }

  /// The version of the protocol.
  let v: Int
  /// The kind of the request: get, login, logout, or a kind of a later Cargo.
  let kind: String
  /// The registry.
  let registry: Registry

  /// The address of the index; nil if it gets no token.
  var address: ServiceAddress? {
    let prefix = "sparse+"
    let url = registry.indexURL
    return try? ServiceAddress(
      parsing: url.hasPrefix(prefix) ? String(url.dropFirst(prefix.count)) : url)
  }

  /// Parses a line; nil if it is not a request of version 1.
  init?(parsing line: [UInt8]) {
    guard let request = try? JSONDecoder().decode(CargoRequest.self, from: Data(line)),
      request.v == 1
    else { return nil }
    self = request
  }
}

/// A response to Cargo.
enum CargoResponse {
  /// A token with its expiry time.
  case token(String, expiresAt: Date)
  /// The registry is not listed. Cargo asks the next provider.
  case unsupportedURL
  /// There is nothing to remove.
  case notFound
  /// The helper does not store tokens of other programs.
  case unsupportedOperation
  /// An error with its message.
  case failure(String)

  /// The JSON document.
  var document: JSONText {
    switch self {
    case .token(let token, let expiry):
      // Cargo sends the token as the value of Authorization.
      .object([
        "Ok": .object([
          "kind": .string("get"), "token": .string("Bearer \(token)"), "cache": .string("expires"),
          "expiration": .number(expiry.secondsSince1970), "operation_independent": .bool(true),
        ])
      ])
    case .unsupportedURL: CargoResponse.error(["kind": .string("url-not-supported")])
    case .notFound: CargoResponse.error(["kind": .string("not-found")])
    case .unsupportedOperation: CargoResponse.error(["kind": .string("operation-not-supported")])
    case .failure(let message):
      CargoResponse.error([
        "kind": .string("other"), "message": .string(message.plain), "caused-by": .array([]),
      ])
    }
  }

  private static func error(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
    .object(["Err": .object(members)])
  }
}

/// The lines of a descriptor, of which each is available before the next one is sent.
struct LineInput {
  private let descriptor: Int32
  private var buffered: [UInt8] = []

  private static let maximum = 1 << 16

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Waits for the next line; nil at the end, after an error, and for a line that is too long.
  mutating func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffered[..<end])
        buffered.removeSubrange(...end)
        return line
      }
      guard buffered.count <= LineInput.maximum else { return nil }
      let count = buffer.withUnsafeMutableBytes { receiveBytes(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffered += buffer.prefix(count)
    }
  }
}
