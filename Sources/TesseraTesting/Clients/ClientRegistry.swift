// SPDX-License-Identifier: MIT
// The registered clients, and their authentication.

import TesseraWire

/// An authenticated client, or a public one.
struct AuthenticatedClient: Sendable {
  /// The client ID.
  let clientID: String
  /// The registration of a confidential client; nil for a public one.
  let registration: LocalClient?
  /// The credential.
  let credential: PresentedCredential

  /// The service principal of a confidential client.
  ///
  /// - Throws: `unauthorized_client` for a public client.
  func servicePrincipal(at issuer: Issuer) throws(ErrorResponse) -> ServicePrincipal {
    guard let registration else { throw .unknownApplication(clientID, at: issuer) }
    return ServicePrincipal(clientID: clientID, roles: registration.roles)
  }
}

/// The registered clients.
struct ClientRegistry: Sendable {
  private var clients: [String: RegisteredClient] = [:]
  /// The expiry of the assertions that generic issuers accepted, by client and identifier.
  private var usedAssertions: [String: Instant] = [:]

  /// Registers a client, or replaces its registration.
  mutating func register(_ client: LocalClient) throws(ProviderCommandError) {
    clients[client.clientID] = try RegisteredClient(client)
  }

  /// The IDs of the registered clients.
  var clientIDs: [String] { clients.keys.sorted() }

  /// Authenticates the client of a request.
  ///
  /// A client ID that is not registered is a public client.
  ///
  /// - Parameters:
  ///   - presented: The client ID and the credential.
  ///   - endpoint: The issuer, the accepted audiences of assertions and the accepted methods.
  /// - Throws: `invalid_client`.
  mutating func authenticate(
    _ presented: PresentedClient, at endpoint: TokenEndpointIdentity, now: Instant
  ) throws(ErrorResponse) -> AuthenticatedClient {
    guard let clientID = presented.clientID else { throw .missing("client_id") }
    guard let registered = clients[clientID] else {
      guard presented.credential == .none else { throw .credentialOfPublicClient }
      return AuthenticatedClient(clientID: clientID, registration: nil, credential: .none)
    }
    if let methods = endpoint.methods, !methods.contains(presented.credential.method) {
      throw .methodNotAccepted(presented.credential.method)
    }
    switch presented.credential {
    case .none: throw .credentialRequired
    case .secretInBody(let secret), .secretInHeader(let secret):
      guard registered.hasSecret(secret) else { throw .wrongSecret(clientID) }
    case .assertion(let text):
      if !registered.hasAssertion(text) {
        let check = ClientAssertionCheck(
          client: registered, issuer: endpoint.issuer, audiences: endpoint.audiences, now: now)
        try use(check.check(text), of: clientID, at: now)
      }
    }
    return AuthenticatedClient(
      clientID: clientID, registration: registered.client, credential: presented.credential)
  }

  /// Records the identifier of an assertion (RFC 7523 section 3, item 7).
  ///
  /// - Throws: `invalid_client` if it was used before.
  private mutating func use(
    _ assertion: ClientAssertionCheck.OneTimeID?, of clientID: String, at now: Instant
  ) throws(ErrorResponse) {
    guard let assertion else { return }
    usedAssertions = usedAssertions.filter { $0.value > now }
    let key = "\(clientID)\n\(assertion.id)"
    guard usedAssertions[key] == nil else { throw .replayedAssertion }
    usedAssertions[key] = assertion.expiresAt
  }
}

/// The properties of an endpoint that authenticates clients.
struct TokenEndpointIdentity: Sendable {
  /// The issuer.
  let issuer: Issuer
  /// The accepted audiences of assertions.
  let audiences: [String]
  /// The accepted authentication methods; nil for all.
  let methods: [String]?
}
