// SPDX-License-Identifier: MIT
// The protocol of Docker's credential helpers, which Podman, Skopeo and Buildah use, too.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request of Docker.
enum DockerRequest {
  /// Returns the addresses that the server of a request can mean.
  ///
  /// Docker leaves out the scheme of registries, also of one on this machine that it reaches by http.
  ///
  /// - Returns: No address for a server that gets no token.
  static func addresses(of server: String) -> [ServiceAddress] {
    if server.contains("://") {
      return (try? ServiceAddress(parsing: server)).map { [$0] } ?? []
    }
    return ["https", "http"].compactMap { try? ServiceAddress(parsing: "\($0)://\(server)") }
  }

  /// Returns the server of a request: the bytes, without a newline at the end.
  static func server(_ bytes: [UInt8]?) -> String? {
    guard var bytes else { return nil }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The document of the operation `store`, without the secret.
  struct Stored: Decodable {
    /// The server.
    let server: String?
    /// The user name.
    let username: String?

    private enum CodingKeys: String, CodingKey {
      case server = "ServerURL"
      case username = "Username"
    }

    /// Parses a document; nil if it is invalid.
    init?(parsing bytes: [UInt8]?) {
      guard let bytes, let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else {
        return nil
      }
      self = stored
    }
  }
}
