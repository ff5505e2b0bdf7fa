// SPDX-License-Identifier: MIT
// tessera helper: the list of services, and the helpers of other programs.

import ArgumentParser
import Tessera

/// Manages the list of services, and runs helpers.
struct HelperCommand: ParsableCommand {
  private static let name = "helper"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Provide Git, kubectl, Docker, pip and others with tokens for listed services.",
    discussion: """
      Examples:
        tessera helper add git https://dev.azure.com --scope SCOPE
        tessera helper list
        tessera helper remove git https://dev.azure.com

      A program gets a token only for a service that "tessera helper add" has listed, with the same scheme, host and port.
      """,
    subcommands: [
      HelperAdd.self, HelperListCommand.self, HelperRemove.self, HelperCheck.self,
      HelperShim.self, HelperGit.self, HelperKubectl.self, HelperDocker.self, HelperCargo.self,
      HelperTerraform.self, HelperBazel.self, HelperAz.self, HelperAzd.self, HelperAWS.self,
      HelperGoogle.self, HelperKeyring.self, HelperHTTP.self,
    ])

  /// Returns the arguments that the name of a link to the command replaces; none for other names.
  static func arguments(ofLink link: String) -> [String] {
    let helper: String? =
      switch link {
      case "git-credential-tessera": "git"
      case "kubectl-tessera": "kubectl"
      case "docker-credential-tessera": "docker"
      case "cargo-credential-tessera": "cargo"
      case "terraform-credentials-tessera": "terraform"
      case "bazel-credential-tessera": "bazel"
      default: nil
      }
    return helper.map { [name, $0] } ?? []
  }

  /// The helpers that other programs run often, and that have several arguments or options, by their names.
  private static let helpers: [String: any ParsableCommand.Type] = [
    "cargo": HelperCargo.self, "terraform": HelperTerraform.self, "az": HelperAz.self,
    "azd": HelperAzd.self, "aws": HelperAWS.self,
  ]

  /// Returns the helper with a name that has an operation as its only argument; nil if there is none.
  private static func operationHelper(_ name: String) -> (any OperationHelper.Type)? {
    switch name {
    case "git": HelperGit.self
    case "kubectl": HelperKubectl.self
    case "docker": HelperDocker.self
    case "bazel": HelperBazel.self
    case "google": HelperGoogle.self
    default: nil
    }
  }

  /// Returns the helper that the arguments specify; nil for all other commands, and if the arguments are incorrect.
  ///
  /// The parser of the whole command takes longer, and prints help and errors with the names of the commands.
  static func helper(_ arguments: [String]) -> (any ParsableCommand)? {
    guard arguments.count > 1, arguments[0] == name else { return nil }
    if let helper = operationHelper(arguments[1]) {
      guard arguments.count == 3, !arguments[2].hasPrefix("-") else { return nil }
      return try? helper.command(arguments[2])
    }
    guard let helper = helpers[arguments[1]] else { return nil }
    guard let command = try? helper.parseAsRoot(Array(arguments.dropFirst(2))) else { return nil }
    // The help is a command, too. That of the parser of the whole command has the complete usage.
    return type(of: command) == helper ? command : nil
  }

  /// Runs a body, prints its error on one line and converts it to the exit status.
  static func run(_ body: () throws(TesseraError) -> Void) throws {
    do throws(TesseraError) {
      try body()
    } catch {
      Output.printError("tessera: \(message(of: error))")
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Returns the message of an error, without options that helpers lack.
  static func message(of error: TesseraError) -> String {
    OptionNames.replacingMembers(in: error.message)
      .replacing("--ca-file or the environment variable", with: "the environment variable")
      .replacing("--ca-file, CURL_CA_BUNDLE", with: "CURL_CA_BUNDLE")
  }

  /// Returns the normal form of a URL in an argument.
  static func normalized(_ url: String, _ tool: HelperTool) throws -> String {
    do throws(AddressError) {
      return try HelperList.normalized(url: url, tool)
    } catch {
      throw ValidationError(error.message)
    }
  }
}

/// A helper with an operation as its only argument.
protocol OperationHelper: ParsableCommand {
  /// The operation.
  var operation: String { get set }
}

extension OperationHelper {
  /// Creates a command, without the parser, which takes longer than the helper itself.
  fileprivate static func command(_ operation: String) throws -> Self {
    var command = Self()
    command.operation = operation
    try command.validate()
    return command
  }
}

/// Lists a service.
struct HelperAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "List a service, and the sign-in for its token.",
    usage: "tessera helper add [<options>] <tool> <url>",
    discussion: """
      Examples:
        tessera helper add git https://dev.azure.com --scope SCOPE
        tessera helper add kubectl https://k8s.example --scope openid --token id
        tessera helper add azure https://management.azure.com

      The application and the provider are those of the options, the TESSERA_* variables or the profile.
      """)

  @Argument(help: HelperTool.help, transform: { try StoreOptions.choice($0) })
  var tool: HelperTool

  @Argument(
    help: """
      The URL of the service. For azure, it is the resource, for aws the ARN of the role, for google the audience.
      """)
  var url: String

  @Option(help: "The client ID of the application, as registered with the provider.")
  var clientID: String?

  @Option(help: "The tenant of Entra: its ID or a domain.")
  var tenant: String?

  @Option(help: "For other providers, instead of --tenant: the URL of the authority or issuer.")
  var authority: String?

  @Option(
    help: ArgumentHelp(
      "The type of the authority: entra, b2c, ciam, adfs or openid.", visibility: .hidden),
    transform: { try StoreOptions.choice($0) as AuthorityType })
  var authorityType: AuthorityType?

  @Option(name: [.customShort("p"), .long], help: "The profile of the application.")
  var profile: String?

  @Option(help: "A scope of the token. Repeat the option for several.")
  var scope: [String] = []

  @Option(help: ArgumentHelp("The name of the store.", visibility: .hidden))
  var group: String?

  @Option(help: "The user name of the account, if several are signed in.")
  var username: String?

  @Option(help: "The user name for Basic authentication, for services that do not accept Bearer.")
  var login: String?

  @Option(
    help: ArgumentHelp(
      "For docker: acr, which exchanges the token at an Azure Container Registry.",
      visibility: .hidden),
    transform: { try StoreOptions.choice($0) as HelperExchange })
  var exchange: HelperExchange?

  @Option(
    help: ArgumentHelp("For aws: the URL of the Security Token Service.", visibility: .hidden))
  var endpoint: String?

  @Option(
    help: "The token: access or id. The default is access, and id for aws and google.",
    transform: { try StoreOptions.choice($0) as HelperTokenKind })
  var token: HelperTokenKind?

  @Flag(help: ArgumentHelp("Allow http for a service on this machine.", visibility: .hidden))
  var allowHTTPLoopback = false

  mutating func validate() throws {
    url = try HelperCommand.normalized(url, tool)
    let address = tool.hasURL ? url : endpoint ?? "https:"
    guard address.hasPrefix("https:") || allowHTTPLoopback else {
      throw ValidationError(
        "The URL must start with https://. For this machine, pass --allow-http-loopback.")
    }
    for text in [login, username].compactMap(\.self)
    where !text.unicodeScalars.allSatisfy({ $0 > " " && $0 != "\u{7F}" }) {
      throw ValidationError("A user name must not contain spaces or control characters.")
    }
  }

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let environment = Environment.current
      let entry = try entry(environment)
      let file = try HelperListFile.current(environment)
      do throws(AddressError) {
        try HelperList.checkForm(entry)
      } catch {
        throw TesseraError(.fixRequest, .invalidMember, error.message)
      }
      try file.update { list throws(TesseraError) in try add(entry, to: &list) }
      Output.report("\(url) is listed for \(tool.rawValue).")
    }
  }

  private func add(_ entry: HelperEntry, to list: inout HelperList) throws(TesseraError) {
    let isListed = list.entries.contains { $0.tool == entry.tool && $0.url == entry.url }
    guard !isListed else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        """
        \(entry.url) is listed. To change it, run "tessera helper remove \(tool.rawValue) \(entry.url)" first.
        """)
    }
    list.add(entry)
  }

  private func entry(_ environment: Environment) throws(TesseraError) -> HelperEntry {
    var sources = SettingSources()
    sources.options = Registration(
      clientID: clientID, tenant: tenant, authority: authority, authorityType: authorityType)
    sources.profileName = profile
    sources.scopes = scope
    sources.group = group
    sources.environment = environment
    let settings = try sources.settings(ProfileFile.profiles(of: environment))
    var entry = HelperEntry(tool: tool, url: url)
    entry.registration = settings.registration.value
    entry.registration.clientID = try settings.clientID()
    // The scopes of a profile belong to another service.
    entry.scopes = SettingSources.split(scope)
    if entry.scopes.isEmpty { entry.scopes = standardScopes(url) }
    guard !entry.scopes.isEmpty else {
      throw TesseraError(
        .fixRequest, .scopesRequired, "Pass --scope with a scope of the service at \(url).")
    }
    entry.group = settings.group.value
    entry.username = username ?? settings.username.value
    entry.redirectURI = settings.redirectURI.value
    entry.login = login
    entry.token = token ?? tool.standardToken
    entry.exchange = exchange
    entry.endpoint = endpoint
    return entry
  }

  /// Returns the scopes of a service for which none are stated.
  private func standardScopes(_ url: String) -> [String] {
    if tool == .azure { return ["\(url)/.default"] }
    return (token ?? tool.standardToken) == .id && tool.standardToken == .id ? ["openid"] : []
  }
}

/// Prints the list.
struct HelperListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the listed services.")

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let entries = try HelperListFile.current(Environment.current).read().entries
      guard !entries.isEmpty else {
        return Output.printError("No service is listed. Run \"tessera helper add\".")
      }
      Output.report(rows: entries.map(\.row))
    }
  }
}

/// Removes a service from the list.
struct HelperRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a service from the list.")

  @Argument(help: HelperTool.help, transform: { try StoreOptions.choice($0) })
  var tool: HelperTool

  @Argument(help: "The URL of the service.")
  var url: String

  mutating func validate() throws { url = try HelperCommand.normalized(url, tool) }

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      var isRemoved = false
      try HelperListFile.current(Environment.current).update { list throws(TesseraError) in
        isRemoved = list.remove(tool, url: url)
      }
      Output.report(isRemoved ? "\(url) is no longer listed." : "\(url) is not listed.")
    }
  }
}

/// Prints the entry that decides about a URL.
struct HelperCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Print the listed service that covers a URL.",
    discussion: "The exit status is 1 if the program gets no token for the URL.")

  @Argument(help: HelperTool.help, transform: { try StoreOptions.choice($0) })
  var tool: HelperTool

  @Argument(help: "The URL of a request.")
  var url: String

  func run() throws {
    let list: HelperList
    do throws(TesseraError) {
      list = try HelperListFile.current(Environment.current).read()
    } catch {
      return try HelperCommand.run { () throws(TesseraError) in throw error }
    }
    do throws(AddressError) {
      let found =
        switch tool {
        case .azure: list.entry(resource: url, tenant: nil)
        case .aws, .google: list.entry(tool, named: url)
        case .http: list.entry(tool, try ServiceAddress(ofRequest: url))
        case .git, .kubectl, .docker, .cargo, .terraform, .bazel, .keyring:
          list.entry(tool, try ServiceAddress(parsing: url))
        }
      if let found { return Output.report(rows: [found.row]) }
      Output.printError(
        """
        tessera: \(url) is not listed, so it gets no token. To list it, run "tessera helper add \(tool.rawValue)" with its URL.
        """)
    } catch {
      Output.printError("tessera: \(url) gets no token. \(error.message)")
    }
    throw ExitCode(1)
  }
}

extension HelperEntry {
  /// The cells of a table.
  fileprivate var row: [String] {
    [
      tool.rawValue, url, username ?? "",
      registration.tenant ?? registration.authority ?? "", scopes.joined(separator: " "),
    ]
  }
}
