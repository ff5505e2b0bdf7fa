// SPDX-License-Identifier: MIT
// An entry of the list of services: one service, the program that asks for its token, and the sign-in that it gets.

import ArgumentParser
import Tessera

/// A program that gets tokens from a helper.
enum HelperTool: String, CaseIterable {
  /// Git.
  case git
  /// kubectl and other clients of Kubernetes.
  case kubectl
  /// Docker, Podman, Skopeo and Buildah.
  case docker
  /// Cargo.
  case cargo
  /// Terraform and OpenTofu.
  case terraform
  /// Bazel.
  case bazel
  /// Programs that run the Azure CLI or the Azure Developer CLI.
  case azure
  /// Programs that ask the Python package keyring: pip, uv and twine.
  case keyring
  /// HTTP clients: requests, HTTPie and curl.
  case http
  /// The AWS CLI and the AWS SDKs.
  case aws
  /// The libraries of Google Cloud.
  case google

  /// Whether a service has a URL.
  ///
  /// The other ones are resources of Azure, roles of AWS, and audiences of Google Cloud, which are compared byte by byte.
  var hasURL: Bool {
    switch self {
    case .git, .kubectl, .docker, .cargo, .terraform, .bazel, .keyring, .http: true
    case .azure, .aws, .google: false
    }
  }

  /// The token that its services expect, unless the entry states another one.
  var standardToken: HelperTokenKind {
    switch self {
    case .aws, .google: .id
    case .git, .kubectl, .docker, .cargo, .terraform, .bazel, .azure, .keyring, .http: .access
    }
  }

  /// The time for a token without a sign-in, which is shorter than the time for which the program waits.
  var timeout: Duration {
    switch self {
    // The Azure SDKs and Bazel wait for 10 seconds.
    case .azure, .bazel: .seconds(8)
    // The libraries of Google Cloud wait for 30 seconds, and an AWS SDK for a minute, in which it also gets credentials.
    case .google, .aws: .seconds(25)
    case .git, .kubectl, .docker, .cargo, .terraform, .keyring, .http: .seconds(30)
    }
  }

  /// The help of an argument with a program.
  static let help: ArgumentHelp =
    "The program: \(allCases.dropLast().map(\.rawValue).joined(separator: ", ")) or google."
}

/// A service that issues a credential of its own for the token.
enum HelperExchange: String, CaseIterable {
  /// Azure Container Registry.
  case acr
}

/// The token that a service expects.
enum HelperTokenKind: String, CaseIterable {
  /// The access token.
  case access
  /// The ID token.
  case id
}

/// A service, and the sign-in for its token.
struct HelperEntry: Hashable {
  /// The program that asks for the token.
  var tool: HelperTool
  /// The URL of the service.
  ///
  /// For some programs, it is a name in another form: see ``HelperTool/hasURL``.
  var url: String
  /// The application and its provider.
  var registration = Registration()
  /// The scopes of the token.
  var scopes: [String] = []
  /// The group of the store; nil for the default group.
  var group: String?
  /// The user name of the account; nil for the only one.
  var username: String?
  /// The redirect URI of a sign-in; nil for the default one.
  var redirectURI: String?
  /// The user name of Basic authentication; nil for Bearer authentication where the program supports it.
  var login: String?
  /// The exchange of the token for the credential of the service; nil if the service accepts the token.
  var exchange: HelperExchange?
  /// The URL of the service that issues the credentials of a role of AWS.
  var endpoint: String?
  /// The token.
  var token = HelperTokenKind.access

  /// Whether the entry covers an address.
  func covers(_ address: ServiceAddress) -> Bool {
    (try? ServiceAddress(parsing: url))?.covers(address) ?? false
  }

  /// The configuration of the application.
  func configuration() throws(TesseraError) -> ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: registration.clientID ?? "")
    if let authority = try registration.authorityURL() { configuration.authority = authority }
    configuration.authorityType = registration.authorityType
    configuration.redirectURI = redirectURI
    configuration.store = .sqlite(
      StoreConfiguration.SQLiteOptions(
        group: group ?? "default", directory: nil, policy: .preferEncrypted, keySources: nil))
    return configuration
  }

  /// The command that signs in for this entry.
  var loginCommand: String {
    let provider =
      registration.tenant.map { ["--tenant", $0] } ?? registration.authority.map {
        ["--authority", $0]
      } ?? []
    let type = registration.authorityType.map { ["--authority-type", $0.rawValue] } ?? []
    let group = group.map { ["--group", $0] } ?? []
    let scopes = scopes.flatMap { ["--scope", $0] }
    let redirect = redirectURI.map { ["--redirect-uri", $0] } ?? []
    let words =
      ["tessera", "login", "--client-id", registration.clientID ?? ""] + provider + type + group
      + scopes + redirect
    return words.map(Settings.quoted).joined(separator: " ")
  }
}

/// A key of an entry.
enum HelperKey: String, CaseIterable {
  case tool
  case url
  case clientID = "client_id"
  case tenant
  case authority
  case authorityType = "authority_type"
  case scopes
  case group
  case username
  case redirectURI = "redirect_uri"
  case login
  case exchange
  case endpoint
  case token

  /// Sets the value of an entry.
  func set(
    _ value: ProfileSyntax.Value, in entry: inout HelperEntry
  ) throws(ProfileSyntaxError) {
    guard self != .scopes else {
      entry.scopes = try value.strings(of: rawValue)
      return
    }
    let text = try value.string(of: rawValue)
    switch self {
    case .tool: entry.tool = try HelperKey.choice(text, of: rawValue)
    case .url: entry.url = text
    case .clientID: entry.registration.clientID = text
    case .tenant: entry.registration.tenant = text
    case .authority: entry.registration.authority = text
    case .authorityType:
      entry.registration.authorityType = try HelperKey.choice(text, of: rawValue)
    case .scopes: break
    case .group: entry.group = text
    case .username: entry.username = text
    case .redirectURI: entry.redirectURI = text
    case .login: entry.login = text
    case .exchange: entry.exchange = try HelperKey.choice(text, of: rawValue)
    case .endpoint: entry.endpoint = text
    case .token: entry.token = try HelperKey.choice(text, of: rawValue)
    }
  }

  /// Returns the line of an entry; nil if the entry has no value, or the default one.
  func line(of entry: HelperEntry) -> String? {
    let text: String? =
      switch self {
      case .tool: entry.tool.rawValue
      case .url: entry.url
      case .clientID: entry.registration.clientID
      case .tenant: entry.registration.tenant
      case .authority: entry.registration.authority
      case .authorityType: entry.registration.authorityType?.rawValue
      case .scopes: nil
      case .group: entry.group
      case .username: entry.username
      case .redirectURI: entry.redirectURI
      case .login: entry.login
      case .exchange: entry.exchange?.rawValue
      case .endpoint: entry.endpoint
      case .token: entry.token == .access ? nil : entry.token.rawValue
      }
    if self == .scopes {
      return "\(rawValue) = [\(entry.scopes.map(ProfileSyntax.string).joined(separator: ", "))]"
    }
    return text.map { "\(rawValue) = \(ProfileSyntax.string($0))" }
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String, of key: String
  ) throws(ProfileSyntaxError) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw ProfileSyntaxError("\(key) must be one of \(known).")
  }
}
