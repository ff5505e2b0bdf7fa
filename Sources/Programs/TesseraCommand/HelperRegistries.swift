// SPDX-License-Identifier: MIT
// The helpers of programs that download packages and images: tessera helper docker, cargo, terraform and bazel.

import ArgumentParser
import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A credential helper of Docker, Podman, Skopeo and Buildah.
struct HelperDocker: OperationHelper {
  static let configuration = CommandConfiguration(
    commandName: "docker", abstract: "Respond to a request of Docker on standard input.")

  @Argument(help: "The operation: get, store, erase, list or version.")
  var operation: String

  /// The errors that the programs recognize by their text.
  private enum Problem: String {
    case notFound = "credentials not found in native keychain"
    case noServer = "no credentials server URL"
    case noUsername = "no credentials username"
  }

  private static let maximumSize = 1 << 16

  func run() throws {
    switch operation {
    case "get": try get()
    case "store": try store()
    case "erase": try erase()
    case "list": Output.printLine(JSONText.object([:]))
    case "version": Output.printLine("docker-credential-tessera \(TesseraVersion.text)")
    default: try fail("unknown operation \(operation): use get, store, erase, list or version")
    }
  }

  private func get() throws {
    let server = try server()
    guard let entry = try entry(server) else { return try fail(.notFound) }
    try run { () throws(TesseraError) in
      let environment = Environment.current
      let secret =
        if entry.exchange == nil {
          try HelperTokens(entry: entry, environment: environment).token(canPrompt: true).text
        } else {
          try IssuedCredentials(
            entry: entry, environment: environment,
            minimumLifetime: RegistryExchange.minimumLifetime
          ).credential(issue: RegistryExchange(entry: entry).credential).text
        }
      guard secret.isCredential else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration, "The token contains a control character.")
      }
      Output.printLine(
        JSONText.object([
          "ServerURL": .string(server),
          "Username": .string(entry.login ?? RegistryExchange.username), "Secret": .string(secret),
        ]))
    }
  }

  /// Accepts the credentials of a listed registry without storing them.
  ///
  /// "docker login" stores what this helper returned. Those of other registries would be lost, so they are rejected.
  private func store() throws {
    let login = DockerRequest.Stored(parsing: input)
    guard let server = login?.server, !server.isEmpty else { return try fail(.noServer) }
    guard let username = login?.username, !username.isEmpty else { return try fail(.noUsername) }
    guard try entry(server) != nil else {
      return try fail(
        "tessera stores no passwords. Name it in credHelpers for \(server), not in credsStore.")
    }
  }

  /// Removes the credential that the registry issued, and records that the registry refused the token.
  ///
  /// The account stays signed in.
  private func erase() throws {
    guard let entry = try entry(try server()) else { return }
    try run { () throws(TesseraError) in
      let state = try HelperState(entry, Environment.current)
      state.removeCredential()
      state.recordRefusal()
    }
  }

  private var input: [UInt8]? {
    DescriptorInput.bytes(of: STDIN_FILENO, maximum: HelperDocker.maximumSize)
  }

  private func server() throws -> String {
    guard let server = DockerRequest.server(input), !server.isEmpty else {
      try fail(.noServer)
      return ""
    }
    return server
  }

  private func entry(_ server: String) throws -> HelperEntry? {
    var entry: HelperEntry?
    try run { () throws(TesseraError) in
      let list = try HelperListFile.current(Environment.current).read()
      entry = DockerRequest.addresses(of: server).lazy.compactMap { list.entry(.docker, $0) }.first
    }
    return entry
  }

  /// Runs a body, and prints its error where the programs expect it.
  private func run(_ body: () throws(TesseraError) -> Void) throws {
    do throws(TesseraError) {
      try body()
    } catch {
      try fail(HelperCommand.message(of: error))
    }
  }

  private func fail(_ problem: Problem) throws { try fail(problem.rawValue) }

  private func fail(_ message: String) throws {
    Output.printLine(message)
    throw ExitCode(1)
  }
}

/// A credential provider of Cargo.
struct HelperCargo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cargo", abstract: "Respond to requests of Cargo on standard input.")

  @Flag(help: "The option with which Cargo runs a credential provider.")
  var cargoPlugin = false

  func validate() throws {
    guard cargoPlugin else {
      throw ValidationError("Cargo runs this command, with --cargo-plugin.")
    }
  }

  func run() throws {
    Output.printLine(JSONText.object(["v": .array([.number(1)])]))
    var input = LineInput(STDIN_FILENO)
    while let line = input.next() { Output.printLine(response(to: line).document) }
  }

  private func response(to line: [UInt8]) -> CargoResponse {
    guard let request = CargoRequest(parsing: line) else {
      return .failure("The request is not one of version 1 of the protocol.")
    }
    do throws(TesseraError) {
      let environment = Environment.current
      let list = try HelperListFile.current(environment).read()
      guard let entry = request.address.flatMap({ list.entry(.cargo, $0) }) else {
        return .unsupportedURL
      }
      switch request.kind {
      case "get":
        let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
        guard token.text.isCredential else {
          return .failure("The token contains a control character.")
        }
        return .token(token.text, expiresAt: token.expiresAt)
      case "logout":
        try HelperState(entry, environment).recordRefusal()
        return .notFound
      default: return .unsupportedOperation
      }
    } catch {
      return .failure(HelperCommand.message(of: error))
    }
  }
}

/// A credentials helper of Terraform and OpenTofu.
struct HelperTerraform: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "terraform", abstract: "Respond to a request of Terraform.")

  @Argument(help: "The operation: get, store or forget.")
  var operation: String

  @Argument(help: "The host of the service.")
  var host: String

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let environment = Environment.current
      let list = try HelperListFile.current(environment).read()
      let address = try? ServiceAddress(scheme: "https", authority: host)
      let entry = address.flatMap { list.entry(.terraform, $0) }
      switch operation {
      case "get":
        guard let entry else { return Output.printLine(JSONText.object([:])) }
        let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
        Output.printLine(JSONText.object(["token": .string(token.text)]))
      case "store":
        guard entry != nil else {
          throw TesseraError(
            .fixRequest, .invalidMember,
            """
            \(host) is not listed, and its token is not stored. Run "tessera helper add terraform" for it.
            """)
        }
      case "forget":
        if let entry { try HelperState(entry, environment).recordRefusal() }
      default:
        throw TesseraError(
          .fixRequest, .invalidMember, "The operation must be get, store or forget.")
      }
    }
  }
}

/// A credential helper of Bazel.
struct HelperBazel: OperationHelper {
  static let configuration = CommandConfiguration(
    commandName: "bazel", abstract: "Respond to a request of Bazel on standard input.")

  @Argument(help: "The operation: get.")
  var operation: String

  private struct Request: Decodable {
    let uri: String
  }

  private static let maximumSize = 1 << 16

  func validate() throws {
    guard operation == "get" else { throw ValidationError("The operation must be get.") }
  }

  /// Prints the header of a listed host.
  ///
  /// Bazel waits for ten seconds, so no user is asked.
  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let input = DescriptorInput.bytes(of: STDIN_FILENO, maximum: HelperBazel.maximumSize)
      let request = input.flatMap {
        try? JSONDecoder().decode(Request.self, from: Data($0))
      }
      guard let address = request.flatMap({ HelperBazel.address($0.uri) }) else {
        throw TesseraError(.fixRequest, .invalidMember, "The request has no valid URI.")
      }
      let environment = Environment.current
      guard let entry = try HelperListFile.current(environment).read().entry(.bazel, address)
      else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration,
          """
          \(address.text) is not listed. Run "tessera helper add bazel \(address.text)" if you trust it.
          """)
      }
      let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: false)
      guard token.text.isCredential else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration, "The token contains a control character.")
      }
      let formatted = FormattedToken(accessToken: token.text, expiresAt: token.expiresAt)
      Output.printLine(
        JSONText.object([
          "headers": .object(["Authorization": .array([.string("Bearer \(token.text)")])]),
          "expires": .string(formatted.utcExpiry),
        ]))
    }
  }

  /// Returns the address of a URI without its path and query, which may contain percent encoding; nil if it is invalid.
  private static func address(_ uri: String) -> ServiceAddress? {
    guard uri.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }),
      let scheme = uri.firstRange(of: "://")
    else { return nil }
    let rest = uri[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    return try? ServiceAddress(
      scheme: String(uri[..<scheme.lowerBound]), authority: String(rest[..<end]))
  }
}
