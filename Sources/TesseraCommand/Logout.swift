// SPDX-License-Identifier: MIT
// tessera logout: signs a user out, and reports removed and remaining data.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Signs a user out.
struct Logout: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign out: forget an account's tokens, for every program on this machine.",
    discussion: """
      What lies on this machine goes first, whatever the network does. The provider is asked only for what the options \
      say. Says what stays, and where.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(
    help: """
      Of what: application (if left out), every_application, or machine, which empties the store of the group.
      """,
    transform: { try StoreOptions.choice($0) as SignOutScope })
  var scope = SignOutScope.application

  @Flag(help: "Ask the provider to revoke the refresh tokens (RFC 7009). Entra has no such thing.")
  var revokeTokens = false

  @Flag(
    help: "Have the identity broker of this machine forget the account for the application too.")
  var fromBroker = false

  @Flag(help: "Print the address at which a browser ends its session with the provider.")
  var endSession = false

  @Option(help: "Where the browser goes after that; the provider must know it.")
  var postLogoutRedirectURI: String?

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      var request = SignOutRequest(scope: scope)
      if scope != .machine { request.account = try account.account(of: app) }
      request.revokesTokens = revokeTokens
      request.wantsEndSessionURL = endSession
      request.postLogoutRedirectURI = postLogoutRedirectURI
      request.fromBroker = fromBroker
      let report = try app.signOut(request)
      if application.json { return Output.printLine(report.json) }
      for account in report.accounts {
        Output.report("Signed out \(account.username ?? account.homeAccountID).")
      }
      if scope == .machine { Output.report("The token store of the group is empty.") }
      for revocation in report.revocations {
        Output.printError(
          revocation.error.map { "Not revoked: \($0.message)" }
            ?? "Revoked the refresh token of \(revocation.clientID).")
      }
      if let broker = report.broker {
        Output.printError(
          broker.error.map { "The broker: \($0.message)" }
            ?? "The broker has forgotten \(broker.removed) of its accounts.")
      }
      for remainder in report.remaining { Output.printError("What stays: \(line(remainder))") }
      for warning in report.warnings { Output.printError("Warning: \(warning)") }
      if let url = report.endSessionURL { Output.printLine(url) }
    }
  }

  /// Returns one line about remaining data.
  private func line(_ remainder: SignOutReport.LeftoverToken) -> String {
    let details = [remainder.clientID, remainder.path].compactMap { $0 }
    return ([words(remainder.kind)] + details).joined(separator: ", ")
  }

  private func words(_ kind: SignOutReport.LeftoverToken.Kind) -> String {
    switch kind {
    case .otherApplication: "the sign-in of another application"
    case .familyToken: "the refresh token of a family, for its other members"
    case .handedOutTokens: "access tokens that programs already have, until they expire"
    case .unrevokedTokens: "refresh tokens that were copied before: the provider still takes them"
    case .browserSession where endSession:
      "the browser's session with the provider, until you open the address below"
    case .browserSession: "the browser's session with the provider (--end-session)"
    case .setAside: "a damaged store that was set aside"
    case .otherGroup: "the store of another group"
    }
  }
}
