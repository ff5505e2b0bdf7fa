// SPDX-License-Identifier: MIT
// tessera logout: signs a user out, and reports removed and remaining data.

import ArgumentParser
import Tessera

/// Signs a user out.
struct Logout: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign out: remove the tokens of an account for all applications on this machine.",
    discussion: """
      Removes the tokens on this machine first, even without a network. Contacts the provider only if an option \
      requires it. Prints what remains, and where.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(
    help: """
      The scope of the sign-out: application (the default), every_application, or machine, which empties the store of \
      the group.
      """,
    transform: { try StoreOptions.choice($0) as SignOutScope })
  var scope = SignOutScope.application

  @Flag(
    help: "Revoke the refresh tokens at the provider (RFC 7009). Entra does not support this.")
  var revokeTokens = false

  @Flag(help: "Also remove the account of this application from the identity broker.")
  var fromBroker = false

  @Flag(help: "Print the URL that ends the browser's session with the provider.")
  var endSession = false

  @Option(help: "The URL that the browser opens afterwards, as registered with the provider.")
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
      if application.json { return Output.printLine(.document(report.jsonDocument)) }
      for account in report.accounts {
        Output.report("Signed out \(account.username ?? account.homeAccountID).")
      }
      if scope == .machine { Output.report("Emptied the token store of the group.") }
      for revocation in report.revocations {
        Output.printError(
          revocation.error.map { "Not revoked: \($0.message)" }
            ?? "Revoked the refresh token of \(revocation.clientID).")
      }
      if let broker = report.broker {
        Output.printError(
          broker.error.map { "Not removed from the broker: \($0.message)" }
            ?? "Accounts removed from the broker: \(broker.removed).")
      }
      for leftover in report.remaining { Output.printError("Remaining: \(line(leftover))") }
      for warning in report.warnings { Output.printWarning(warning) }
      if let url = report.endSessionURL { Output.printLine(url) }
    }
  }

  /// Returns one line about remaining data.
  private func line(_ leftover: SignOutReport.LeftoverToken) -> String {
    let details = [leftover.clientID, leftover.path].compactMap { $0 }
    return ([kindDescription(leftover.kind)] + details).joined(separator: ", ")
  }

  private func kindDescription(_ kind: SignOutReport.LeftoverToken.Kind) -> String {
    switch kind {
    case .otherApplication: "the sign-in of another application"
    case .familyToken: "the refresh token of the client family, for its other applications"
    case .handedOutTokens: "access tokens that applications have received, until they expire"
    case .unrevokedTokens: "unrevoked refresh tokens, which remain valid in copies of the store"
    case .browserSession where endSession:
      "the browser's session with the provider, until you open the URL below"
    case .browserSession: "the browser's session with the provider (end it with --end-session)"
    case .setAside: "a quarantined copy of a damaged store"
    case .otherGroup: "the store of another group"
    }
  }
}
