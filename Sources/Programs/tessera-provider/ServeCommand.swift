// SPDX-License-Identifier: MIT
// tessera-provider: serves the local provider on this machine until it receives a signal.

import ArgumentParser
import Glibc
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera-provider",
    abstract: "Run an identity provider for tests on 127.0.0.1.",
    usage: "tessera-provider [<options>]",
    discussion: """
      Implements Entra ID at /common, B2C at /tfp, an external tenant, ADFS at /adfs and plain OpenID Connect at \
      /oidc/<name>. Prints one line of JSON with its URLs when it is ready, and runs until SIGTERM or SIGINT. \
      POST /_control/<command> controls it, GET /_control/state returns counters and recent requests.

      All accounts are fictitious, and any user of this machine can sign in as any account: use it for tests only.
      """)

  @Option(help: "The port; 0 for any free port.")
  var port: UInt16 = 0

  @Option(help: ArgumentHelp("The lifetime of access tokens.", valueName: "seconds"))
  var accessTokenLifetime: Int64 = 3600

  @Option(
    help: ArgumentHelp("The age at which access tokens are refreshed.", valueName: "seconds"))
  var refreshIn: Int64?

  @Option(
    help: ArgumentHelp("The minimum interval between polls of a device.", valueName: "seconds"))
  var interval: Int64 = 5

  @Flag(help: "Accept refresh tokens more than once.")
  var noRotation = false

  @Option(
    help: ArgumentHelp(
      "The URL at which clients reach the provider, such as that of a proxy.", valueName: "address")
  )
  var origin: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file with an array of confidential clients; docs/local-provider.md describes their members.",
      valueName: "file"))
  var clients: String?

  func validate() throws {
    guard accessTokenLifetime > 0, interval > 0, refreshIn.map({ $0 >= 0 }) ?? true else {
      throw ValidationError("Lifetimes and intervals must be positive.")
    }
  }

  func run() async throws {
    let stop = StopSignal()
    let server = try LoopbackServer(port: port)
    let address = try await server.start()
    let provider = LocalProvider(
      origin: origin ?? address, settings: settings,
      now: { Date() })
    for client in try registeredClients() { try provider.perform(.register(client)) }
    await server.serve(provider)
    print(try ServeCommand.readyLine(provider, at: address))
    fflush(nil)
    await stop.wait()
    await server.stop()
  }

  /// Reads the file of confidential clients.
  private func registeredClients() throws -> [LocalClient] {
    guard let clients else { return [] }
    guard let json = try? Data(contentsOf: URL(filePath: clients)) else {
      throw ValidationError("The file \(clients) cannot be read.")
    }
    return try LocalClient.parse(json: Array(json))
  }

  private var settings: ProviderSettings {
    var settings = ProviderSettings()
    settings.accessTokenLifetimeSeconds = accessTokenLifetime
    settings.refreshInSeconds = refreshIn
    settings.intervalSeconds = interval
    settings.rotatesRefreshTokens = !noRotation
    return settings
  }

  /// Returns the line with the addresses, for the test that started this program.
  private static func readyLine(_ provider: LocalProvider, at address: String) throws -> String {
    let addresses: KeyValuePairs = [
      "origin": provider.origin,
      "entra_authority": provider.entraAuthority(),
      "b2c_authority": provider.b2cAuthority("b2c_1_signin"),
      "ciam_authority": provider.ciamAuthority,
      "adfs_authority": provider.adfsAuthority,
      "oidc_issuer": provider.issuer("main"),
      "device_page": provider.devicePage,
      "control": address + "/_control",
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let members = try addresses.map { name, url in
      "\"\(name)\":\(String(decoding: try encoder.encode(url), as: UTF8.self))"
    }
    return "{\(members.joined(separator: ","))}"
  }
}
