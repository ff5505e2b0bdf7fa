// SPDX-License-Identifier: MIT
// The helpers that other programs run: tessera helper git, kubectl, az and azd.

import ArgumentParser
import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A credential helper of Git.
struct HelperGit: OperationHelper {
  static let configuration = CommandConfiguration(
    commandName: "git", abstract: "Respond to a request of Git on standard input.")

  @Argument(help: "The operation of Git: get, store, erase or capability.")
  var operation: String

  func run() throws {
    switch operation {
    case "get": try get()
    case "erase": try erase()
    case "capability": Output.printLine(lines: "version 0\ncapability authtype")
    // Git requires that unknown operations are ignored. The token is stored already.
    default: break
    }
  }

  private func get() throws {
    guard let (request, entry) = try request() else { return }
    do throws(TesseraError) {
      let environment = Environment.current
      let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
      let lines = request.response(
        token: token.text, expiresAt: token.expiresAt, login: entry.login)
      guard lines.allSatisfy({ $0.plain == $0 }) else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration, "The token contains a control character.")
      }
      Output.printLine(lines: lines.joined(separator: "\n"))
    } catch {
      // Git would otherwise ask other helpers, and then the user.
      Output.printLine("quit=1")
      return try HelperCommand.run { () throws(TesseraError) in throw error }
    }
  }

  /// Records that the service refused the token.
  ///
  /// Git also erases after an error of the service, so the account stays signed in.
  private func erase() throws {
    guard let (_, entry) = try request() else { return }
    try HelperCommand.run { () throws(TesseraError) in
      try HelperState(entry, Environment.current).recordRefusal()
    }
  }

  /// Reads the request; nil if no token may be returned.
  private func request() throws -> (GitRequest, HelperEntry)? {
    guard let bytes = DescriptorInput.bytes(of: STDIN_FILENO, maximum: 1 << 16),
      let request = try? GitRequest(parsing: bytes), let address = request.address
    else { return nil }
    var entry: HelperEntry?
    try HelperCommand.run { () throws(TesseraError) in
      entry = try HelperListFile.current(Environment.current).read().entry(.git, address)
    }
    return entry.map { (request, $0) }
  }
}

/// An exec plugin of Kubernetes.
struct HelperKubectl: OperationHelper {
  static let configuration = CommandConfiguration(
    commandName: "kubectl", abstract: "Respond to a request of kubectl in KUBERNETES_EXEC_INFO.")

  @Argument(help: "The operation: get.")
  var operation: String

  func validate() throws {
    guard operation == "get" else { throw ValidationError("The operation must be get.") }
  }

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let environment = Environment.current
      let request: ExecCredentialRequest
      do throws(AddressError) {
        request = try ExecCredentialRequest(parsing: environment["KUBERNETES_EXEC_INFO"])
      } catch {
        throw TesseraError(.fixConfiguration, .invalidConfiguration, error.message)
      }
      let list = try HelperListFile.current(environment).read()
      guard let entry = list.entry(.kubectl, request.server) else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration,
          """
          \(request.server.text) is not listed. Run "tessera helper add kubectl \(Settings.quoted(request.server.text))" if you trust it.
          """)
      }
      let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
      var formatted = FormattedToken(accessToken: token.text, expiresAt: token.expiresAt)
      formatted.apiVersion = request.apiVersion
      Output.printLine(try TokenFormat.execcredential.text(of: formatted))
    }
  }
}

/// The answer in the form of the Azure CLI.
struct HelperAz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "az", abstract: "Respond to \"az account get-access-token\" like the Azure CLI.")

  @Option(help: "The directory of \"tessera helper az-shim\", which starts this command.")
  var shim: String?

  @Argument(parsing: .captureForPassthrough, help: "The arguments of az.")
  var arguments: [String] = []

  func run() throws { try AzureShim.run(.az, arguments, shim: shim) }
}

/// The answer in the form of the Azure Developer CLI.
struct HelperAzd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "azd", abstract: "Respond to \"azd auth token\" like the Azure Developer CLI.")

  @Option(help: "The directory of \"tessera helper az-shim\", which starts this command.")
  var shim: String?

  @Argument(parsing: .captureForPassthrough, help: "The arguments of azd.")
  var arguments: [String] = []

  func run() throws { try AzureShim.run(.azd, arguments, shim: shim) }
}

/// Writes programs that take the place of the Azure CLI.
struct HelperShim: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "az-shim", abstract: "Write programs named az and azd, for containers and CI.",
    discussion: """
      Put the directory first in PATH. The programs answer requests for listed resources, and run the real programs, which \
      come later in PATH, for all other commands.
      """)

  @Argument(help: "The directory, which is created.")
  var directory: String

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      for program in AzureProgram.allCases { try AzureShim.write(program, in: directory) }
      Output.report("Put \(directory) first in PATH.")
    }
  }
}
