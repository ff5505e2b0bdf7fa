// SPDX-License-Identifier: MIT
// The options that select the application, the provider and the store, common to most subcommands.

import ArgumentParser
import Tessera

/// The options of an application.
struct ApplicationOptions: ParsableArguments {
  @Option(help: "The client ID of the application, as registered with the provider.")
  var clientID: String

  @Option(help: "The authority that issues the tokens: the URL of a tenant, or an issuer.")
  var authority: String?

  @Option(
    help: """
      The type of the authority: entra, b2c, ciam, adfs or openid. Not necessary for Microsoft's hosts.
      """,
    transform: ApplicationOptions.authorityType)
  var authorityType: AuthorityType?

  @Option(help: "A file with the CA certificates (PEM) to trust instead of the system's.")
  var caFile: String?

  @Option(
    help: """
      A client capability, such as CP1 for applications that handle claims challenges. Repeat the option for several.
      """)
  var clientCapability: [String] = []

  @Flag(help: "Use expired tokens while the server is unavailable, until their extended expiry.")
  var extendedLifetime = false

  @Flag(
    inversion: .prefixedNo,
    help: "Request a refresh token at sign-in. Without one, sign in again when the token expires.")
  var refreshToken: Bool?

  @Option(
    help: """
      consent: request consent at each sign-in, for providers that otherwise issue no refresh token. Not for Microsoft authorities.
      """,
    transform: { try StoreOptions.choice($0) as OfflineAccessPrompt })
  var offlineAccessPrompt: OfflineAccessPrompt?

  @Option(
    help: """
      Whether to use the identity broker of this machine: never, prefer or require. require excludes --device-code.
      """,
    transform: { try StoreOptions.choice($0) as BrokerPolicy })
  var broker = BrokerPolicy.never

  @OptionGroup var store: StoreOptions

  /// Whether JSON is printed.
  var json: Bool { store.json }

  /// Creates the application that the options specify, with the redirect URI of a sign-in.
  func application(redirectURI: String? = nil) throws(TesseraError) -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: clientID)
    configuration.redirectURI = redirectURI
    if let authority { configuration.authority = authority }
    configuration.authorityType = authorityType
    configuration.certificateAuthorityFile = caFile
    configuration.clientCapabilities = clientCapability
    configuration.usesExtendedLifetime = extendedLifetime
    configuration.requestsRefreshToken = refreshToken
    configuration.offlineAccessPrompt = offlineAccessPrompt
    configuration.broker = broker
    store.apply(to: &configuration)
    return try PublicClientApplication(configuration)
  }

  private static func authorityType(_ name: String) throws -> AuthorityType {
    guard let type = AuthorityType(rawValue: name) else {
      let known = AuthorityType.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("must be one of \(known).")
    }
    return type
  }
}
