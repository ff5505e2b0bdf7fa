// SPDX-License-Identifier: MIT
// The confidential clients of the local provider.

public import TesseraWire

/// A confidential client of the local provider, such as a service or a web application.
///
/// ``ProviderCommand/register(_:)`` registers it at every issuer. From then on, the provider rejects token requests of its
/// client ID without authentication. All credentials of a client are valid at the same time.
///
/// ```swift
/// var client = LocalClient(clientID: "daemon")
/// client.secrets = [Secret("a secret of a test")]
/// try provider.perform(.register(client))
/// ```
public struct LocalClient: Sendable, Equatable {
  /// The client ID.
  public let clientID: String
  /// The client secrets (`client_secret_basic` and `client_secret_post`, RFC 6749 section 2.3.1).
  public var secrets: [Secret] = []
  /// The certificates for assertions (`private_key_jwt`, RFC 7523 section 2.2), as texts with one or more PEM blocks.
  ///
  /// The keys are RSA keys of at least 2048 bits, or keys of the curve P-256.
  public var certificates: [String] = []
  /// The certificates of trusted authorities in PEM.
  ///
  /// Entra accepts a certificate that one of them issued, if it is sent in `x5c` and its subject is that of a certificate
  /// of the client.
  public var certificateAuthorities: [String] = []
  /// The assertions of other issuers, which are compared as texts (workload identity federation).
  public var assertions: [Secret] = []
  /// The claim `roles` of its application tokens; Entra only.
  public var roles: [String] = []

  /// Creates a client without credentials.
  ///
  /// The provider rejects its requests until it has one.
  ///
  /// - Parameter clientID: The client ID.
  public init(clientID: String) {
    self.clientID = clientID
  }
}
