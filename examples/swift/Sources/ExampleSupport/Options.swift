// SPDX-License-Identifier: MIT
// The command-line options of the examples.

import Tessera

/// The command line of an example.
public struct Options {
  /// The configuration of the application.
  public private(set) var configuration: ApplicationConfiguration
  /// The options of the token store.
  private var database = StoreConfiguration.SQLiteOptions()
  /// The requested scopes.
  public private(set) var scopes: [String] = []
  /// The requested resource, as in ADAL, instead of scopes.
  public private(set) var resource: String?
  /// The account, by home account ID.
  public private(set) var homeAccountID: String?
  /// The account, by user name.
  public private(set) var username: String?
  /// The claims of an error or of a resource's claims challenge.
  public private(set) var claims: String?
  /// The cache file of an older library.
  public private(set) var file = ""
  /// Whether to bypass the cache.
  public private(set) var forceRefresh = false
  /// Whether to print JSON instead of text.
  public private(set) var json = false

  /// Parses the arguments of this process.
  public init(_ arguments: [String]) throws {
    configuration = ApplicationConfiguration(clientID: "")
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      switch option {
      case "--json": json = true
      case "--force-refresh": forceRefresh = true
      default:
        guard let value = rest.popFirst() else { throw Options.invalidOption(option) }
        try take(option, value)
      }
    }
    configuration.store = .sqlite(database)
  }

  private mutating func take(_ option: String, _ value: String) throws {
    switch option {
    case "--client-id": configuration.clientID = value
    case "--authority": configuration.authority = value
    case "--authority-type":
      guard let type = AuthorityType(rawValue: value) else { throw Options.invalidOption(option) }
      configuration.authorityType = type
    case "--claims": claims = value
    case "--group": database.group = value
    case "--store-directory": database.directory = value
    case "--ca-file": configuration.certificateAuthorityFile = value
    case "--redirect-uri": configuration.redirectURI = value
    case "--scope": scopes.append(value)
    case "--resource": resource = value
    case "--home-account-id": homeAccountID = value
    case "--username": username = value
    case "--file": file = value
    default: throw Options.invalidOption(option)
    }
  }
  private static func invalidOption(_ option: String) -> Problem {
    Problem(
      .fixRequest, "invalid option or value: \(option)",
      """
      use --client-id ID [--authority URL] [--authority-type entra|b2c|ciam|adfs|openid]
        [--group NAME] [--store-directory PATH] [--ca-file PATH] [--redirect-uri URI]
        [--scope SCOPE]... [--resource RESOURCE] [--home-account-id ID] [--username NAME]
        [--claims JSON] [--file PATH] [--force-refresh] [--json]
      """)
  }
}
