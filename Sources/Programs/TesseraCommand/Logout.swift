// SPDX-License-Identifier: MIT
// tessera logout: signs a user out, and reports removed and remaining data.

import ArgumentParser
import Tessera

/// Signs a user out.
struct Logout: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign out: remove the tokens of an account from this machine.",
    usage: "tessera logout [<options>]",
    discussion: """
      Examples:
        tessera logout
        tessera logout --username alice@contoso.com
        tessera logout --from all-applications

      Signs out of this application; other applications stay signed in. Removes the tokens on this machine first, even \
      without a network, and contacts the provider only if an option requires it. Prints what remains, and where. \
      Without a signed-in account, the exit status is 0.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Option(
    help: """
      Where to sign out: application (the default), all-applications, or machine, which empties the store of the group.
      """,
    completion: .list(["application", "all-applications", "machine"]), transform: Logout.scope)
  var from = SignOutScope.application

  @Flag(
    help: ArgumentHelp(
      "Revoke the refresh tokens at the provider (RFC 7009). Entra does not support this.",
      visibility: .hidden))
  var revokeTokens = false

  @Flag(
    help: ArgumentHelp(
      "Also remove the account of this application from the identity broker.",
      visibility: .hidden))
  var fromBroker = false

  @Flag(
    help: ArgumentHelp(
      "Print the URL that ends the browser's session with the provider.", visibility: .hidden))
  var endSession = false

  @Option(
    help: ArgumentHelp(
      "The URL that the browser opens afterwards, as registered with the provider.",
      visibility: .hidden))
  var postLogoutRedirectURI: String?

  /// Returns the scope of a sign-out with a name.
  private static func scope(_ name: String) throws -> SignOutScope {
    switch name {
    case "application": return .application
    case "all-applications": return .everyApplication
    case "machine": return .machine
    default: throw ValidationError("must be one of application, all-applications, machine.")
    }
  }

  func run() throws {
    try Output.run(application) { app in
      var request = SignOutRequest(scope: from)
      if from != .machine {
        guard let account = try signedInAccount(of: app) else { return }
        request.account = account
      }
      request.revokesTokens = revokeTokens
      request.wantsEndSessionURL = endSession
      request.postLogoutRedirectURI = postLogoutRedirectURI
      request.fromBroker = fromBroker
      let report = try app.application.signOut(request)
      if application.json { return Output.printLine(.document(report.jsonDocument)) }
      for account in report.accounts {
        Output.report("Signed out \(account.username ?? account.homeAccountID).")
      }
      if from == .machine { Output.report("Emptied the token store of the group.") }
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

  /// Returns the account to sign out; nil after a report if none is signed in.
  private func signedInAccount(of app: ConfiguredApplication) throws(TesseraError) -> Account? {
    do throws(TesseraError) {
      return try account.account(of: app)
    } catch  where [.storeMissing, .storeEmpty, .accountNotFound].contains(error.code) {
      if application.json {
        Output.printLine(.object(["accounts": .array([])]))
      } else {
        let isNamed = account.request != AccountsRequest()
        Output.report(isNamed ? account.noMatchMessage : "No account was signed in.")
      }
      return nil
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
