// SPDX-License-Identifier: MIT
// The options that select the application, the provider and the store, common to most subcommands.

import ArgumentParser
import Tessera

/// The options of an application.
struct ApplicationOptions: ParsableArguments {
  @Option(help: "The client ID of the application, as registered with the provider.")
  var clientID: String?

  @Option(help: "The tenant of Entra: its ID or a domain.")
  var tenant: String?

  @Option(
    help: "For other providers, instead of --tenant: the URL of the authority or issuer.")
  var authority: String?

  @Option(
    help: ArgumentHelp(
      """
      The type of the authority: entra, b2c, ciam, adfs or openid. Not necessary for Microsoft's hosts.
      """, visibility: .hidden),
    completion: .choices(AuthorityType.self),
    transform: { try StoreOptions.choice($0) as AuthorityType })
  var authorityType: AuthorityType?

  @Flag(
    help: ArgumentHelp(
      """
      Use AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_AUTHORITY_HOST, which are ignored otherwise.
      """, visibility: .hidden))
  var azureEnv = false

  @Option(
    help: ArgumentHelp(
      "A file with the CA certificates (PEM) to trust instead of the system's.",
      visibility: .hidden))
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      """
      A client capability, such as CP1 for applications that handle claims challenges. Repeat the option for several.
      """, visibility: .hidden))
  var clientCapability: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Use expired tokens while the server is unavailable, until their extended expiry.",
      visibility: .hidden))
  var extendedLifetime = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Request a refresh token at sign-in. Without one, sign in again when the token expires.",
      visibility: .hidden))
  var refreshToken: Bool?

  @Option(
    help: ArgumentHelp(
      """
      consent: request consent at each sign-in, for providers that otherwise issue no refresh token. Not for Microsoft \
      authorities.
      """, visibility: .hidden),
    completion: .choices(OfflineAccessPrompt.self),
    transform: { try StoreOptions.choice($0) as OfflineAccessPrompt })
  var offlineAccessPrompt: OfflineAccessPrompt?

  @Option(
    help: ArgumentHelp(
      """
      Whether to use the identity broker of this machine: never, prefer or require. require excludes --device-code.
      """, visibility: .hidden),
    completion: .choices(BrokerPolicy.self),
    transform: { try StoreOptions.choice($0) as BrokerPolicy })
  var broker = BrokerPolicy.never

  @OptionGroup var store: StoreOptions

  /// Whether JSON is printed.
  var json: Bool { store.json }

  /// The application and the provider of the options.
  var registration: Registration {
    Registration(
      clientID: clientID, tenant: tenant, authority: authority, authorityType: authorityType)
  }

  /// Returns the sources of the settings.
  func sources(scopes: [String] = [], redirectURI: String? = nil) -> SettingSources {
    SettingSources(
      options: registration, profileName: store.profile, usesAzureVariables: azureEnv,
      scopes: scopes, group: store.group, redirectURI: redirectURI, environment: .current)
  }

  /// Returns the settings from the options, the variables and the profile.
  func settings(
    scopes: [String] = [], redirectURI: String? = nil
  ) throws(TesseraError) -> Settings {
    try sources(scopes: scopes, redirectURI: redirectURI)
      .settings(ProfileFile.profiles(of: .current))
  }

  /// Returns the configuration of an application.
  ///
  /// - Throws: `invalidConfiguration` without a client ID.
  func configuration(_ settings: Settings) throws(TesseraError) -> ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: try settings.clientID())
    configuration.redirectURI = settings.redirectURI.value ?? "http://localhost"
    if let authority = try settings.registration.value.authorityURL() {
      configuration.authority = authority
    }
    configuration.authorityType = settings.registration.value.authorityType
    configuration.certificateAuthorityFile = caFile
    configuration.clientCapabilities = clientCapability
    configuration.usesExtendedLifetime = extendedLifetime
    configuration.requestsRefreshToken = refreshToken
    configuration.offlineAccessPrompt = offlineAccessPrompt
    configuration.broker = broker
    store.apply(to: &configuration, group: settings.group.value)
    return configuration
  }
}

/// An application with the settings that it was created from.
struct ConfiguredApplication {
  let application: PublicClientApplication
  let settings: Settings

  /// Returns the scopes of a request.
  ///
  /// - Throws: `scopesRequired` if there are none.
  func scopes() throws(TesseraError) -> [String] { try settings.requiredScopes() }
}

extension Settings {
  /// Returns the scopes of a request.
  ///
  /// - Throws: `scopesRequired` if there are none.
  func requiredScopes() throws(TesseraError) -> [String] {
    if !scopes.value.isEmpty { return scopes.value }
    throw TesseraError(
      .fixRequest, .scopesRequired,
      "No scope is set. Pass --scope with a scope of a resource, such as User.Read.")
  }
}
