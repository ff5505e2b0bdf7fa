// SPDX-License-Identifier: MIT
// The options that say which application, which provider and which store; the same for every subcommand with an application.

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

  @OptionGroup var store: StoreOptions

  /// Whether JSON is printed.
  var json: Bool { store.json }

  /// The application that the options describe.
  func application() throws(TesseraError) -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: clientID)
    if let authority { configuration.authority = authority }
    configuration.authorityType = authorityType
    configuration.certificateAuthorityFile = caFile
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

/// The options that choose an account.
struct AccountOptions: ParsableArguments {
  @Option(help: "The account, by the name the person signs in with.")
  var username: String?

  @Option(help: "The account, by its home account id.")
  var homeAccountID: String?

  /// The account that is meant; the only one if none was named.
  func account(of application: PublicClientApplication) throws(TesseraError) -> Account {
    if let homeAccountID { return try application.account(homeAccountID: homeAccountID) }
    if let username { return try application.account(username: username) }
    let accounts = try application.accounts()
    if let account = accounts.first, accounts.count == 1 { return account }
    guard accounts.isEmpty else {
      throw TesseraError(
        .fixRequest, .ambiguousAccount,
        "Several people have signed in: choose one with --username or --home-account-id.")
    }
    throw TesseraError(
      .signIn, .accountNotFound, "Nobody has signed in yet.")
  }
}
