// SPDX-License-Identifier: MIT
// The options that select the application, the provider and the store, common to most subcommands.

import ArgumentParser
import Tessera

/// The options of an application.
struct ApplicationOptions: ParsableArguments {
  @Option(help: "The application's id, as registered with the provider.")
  var clientID: String

  @Option(help: "Who issues the tokens: a tenant's address or an issuer.")
  var authority: String?

  @Option(
    help: "The kind of authority: entra, b2c, ciam, adfs or openid. Microsoft's hosts are known.",
    transform: ApplicationOptions.authorityType)
  var authorityType: AuthorityType?

  @Option(help: "A file of certificates (PEM) to trust instead of the system's.")
  var caFile: String?

  @Option(
    help: """
      What the program can do with an answer of a resource, such as CP1: it handles claims challenges; repeat it for \
      several.
      """)
  var clientCapability: [String] = []

  @Flag(help: "Use a token after its end while the server is down, as long as the server allows.")
  var extendedLifetime = false

  @Flag(
    inversion: .prefixedNo,
    help: "Request a refresh token at sign-in; without one, sign in again when the token expires.")
  var refreshToken: Bool?

  @Option(
    help: """
      consent: ask for consent at each sign-in, for providers that issue no refresh token otherwise; not for \
      Microsoft's.
      """,
    transform: { try StoreOptions.choice($0) as OfflineAccessPrompt })
  var offlineAccessPrompt: OfflineAccessPrompt?

  @Option(
    help: """
      Whether the identity broker of this machine gives tokens: never, prefer or require. With require there is no \
      sign-in with a code.
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

extension Int64 {
  /// The milliseconds of an option in seconds; the maximum value on overflow.
  var asMilliseconds: Int64 {
    let product = multipliedReportingOverflow(by: 1000)
    return product.overflow ? .max : product.partialValue
  }
}
