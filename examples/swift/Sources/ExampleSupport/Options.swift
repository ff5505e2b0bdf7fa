// SPDX-License-Identifier: MIT
// What the examples read from their command lines.

import Tessera

/// The command line of an example.
public struct Options {
  /// The application that the options describe.
  public private(set) var configuration: ApplicationConfiguration
  /// What the token is for.
  public private(set) var scopes: [String] = []
  /// What the token is for, as ADAL named it, in place of scopes.
  public private(set) var resource: String?
  /// Whose token, by the identifier.
  public private(set) var homeAccountID: String?
  /// Whose token, by the name.
  public private(set) var username: String?
  /// The claims of an error or of a resource's challenge.
  public private(set) var claims: String?
  /// What an older library wrote.
  public private(set) var file = ""
  /// Whether the cache is not to be used.
  public private(set) var forceRefresh = false
  /// Whether to print JSON for programs instead of text for people.
  public private(set) var json = false

  /// Reads the arguments of this process.
  public init(_ arguments: [String]) throws {
    configuration = ApplicationConfiguration(clientID: "")
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      switch option {
      case "--json": json = true
      case "--force-refresh": forceRefresh = true
      default:
        guard let value = rest.popFirst() else { throw Options.unusable(option) }
        try take(option, value)
      }
    }
  }

  private mutating func take(_ option: String, _ value: String) throws {
    switch option {
    case "--client-id": configuration.clientID = value
    case "--authority": configuration.authority = value
    case "--authority-type":
      guard let type = AuthorityType(rawValue: value) else { throw Options.unusable(option) }
      configuration.authorityType = type
    case "--claims": claims = value
    case "--group": configuration.group = value
    case "--store-directory": configuration.storeDirectory = value
    case "--ca-file": configuration.certificateAuthorityFile = value
    case "--redirect-uri": configuration.redirectURI = value
    case "--scope": scopes.append(value)
    case "--resource": resource = value
    case "--home-account-id": homeAccountID = value
    case "--username": username = value
    case "--file": file = value
    default: throw Options.unusable(option)
    }
  }
  private static func unusable(_ option: String) -> Problem {
    Problem(
      .fixRequest, "cannot use \(option)",
      """
      use --client-id ID [--authority URL] [--authority-type entra|b2c|ciam|adfs|openid]
        [--group NAME] [--store-directory PATH] [--ca-file PATH] [--redirect-uri URI]
        [--scope SCOPE]... [--resource RESOURCE] [--home-account-id ID] [--username NAME]
        [--claims JSON] [--file PATH] [--force-refresh] [--json]
      """)
  }
}
