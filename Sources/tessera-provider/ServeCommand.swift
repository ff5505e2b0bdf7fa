// SPDX-License-Identifier: MIT
// tessera-provider: serves the local provider on this machine until it receives a signal.

import ArgumentParser
import Glibc
import TesseraTesting

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera-provider",
    abstract: "Serves an identity provider for tests on 127.0.0.1.",
    usage: "tessera-provider [<options>]",
    discussion: """
      It speaks Entra ID below /common, B2C below /tfp, an external tenant, ADFS below /adfs and plain OpenID Connect \
      below /oidc/<name>. When it is ready, it prints one line of JSON with its addresses; then it serves until SIGTERM \
      or SIGINT. POST /_control/<command> steers it, GET /_control/state shows what it noticed.

      Nobody at this provider is real, and anyone on this machine may sign in as anyone: use it for tests alone.
      """)

  @Option(help: "The port; 0 for one that is free.")
  var port: UInt16 = 0

  @Option(help: ArgumentHelp("How long access tokens live.", valueName: "seconds"))
  var accessTokenLifetime: Int64 = 3600

  @Option(help: ArgumentHelp("After how long clients should refresh them.", valueName: "seconds"))
  var refreshIn: Int64?

  @Option(help: ArgumentHelp("How long a device waits between two polls.", valueName: "seconds"))
  var interval: Int64 = 5

  @Flag(help: "Let refresh tokens work more than once.")
  var noRotation = false

  @Option(
    help: ArgumentHelp("Where clients reach it through something else.", valueName: "address"))
  var origin: String?

  func validate() throws {
    guard accessTokenLifetime > 0, interval > 0, refreshIn.map({ $0 >= 0 }) ?? true else {
      throw ValidationError("Lifetimes and intervals are positive.")
    }
  }

  func run() async throws {
    let stop = StopSignal()
    let server = try LoopbackServer(port: port)
    let address = try await server.start()
    let provider = LocalProvider(
      origin: origin ?? address, settings: settings,
      now: { Instant(secondsSince1970: Int64(time(nil))) })
    await server.serve(provider)
    print(ServeCommand.readyLine(provider, at: address))
    fflush(nil)
    await stop.wait()
    await server.stop()
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
  private static func readyLine(_ provider: LocalProvider, at address: String) -> String {
    let addresses: JSONValue = [
      "origin": .string(provider.origin),
      "entra_authority": .string(provider.entraAuthority()),
      "b2c_authority": .string(provider.b2cAuthority("b2c_1_signin")),
      "ciam_authority": .string(provider.ciamAuthority),
      "adfs_authority": .string(provider.adfsAuthority),
      "oidc_issuer": .string(provider.issuer("main")),
      "device_page": .string(provider.devicePage),
      "control": .string(address + "/_control"),
    ]
    return addresses.serialized
  }
}
