// SPDX-License-Identifier: MIT
// Makes the calls of Tests/Errors/run. Each line has a function, a configuration and a request, separated by tabs.

import CLibrary
import Tessera
import TesseraEngine
import TesseraLegacy
import TesseraWire

/// Prints the status and the response of each call, and before that the prompt of a device code.
@main struct Situations {
  static func main() {
    while let line = readLine() {
      let words = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard words.count == 3, let configuration = object(words[1]), let request = object(words[2])
      else { return printLine("2", "a line is a function, a configuration and a request") }
      do throws(TesseraError) {
        printLine("0", try call(words[0], configuration, request))
      } catch {
        printLine(String(error.remedy.rawValue), error.json.serialized)
      }
    }
  }

  /// Makes a call.
  ///
  /// Returns the document of a started sign-in, otherwise an empty one.
  private static func call(
    _ function: String, _ members: JSONObject, _ request: JSONObject
  ) throws(TesseraError) -> String {
    let application = try PublicClientApplication(configuration(members))
    switch function {
    case "silent": _ = try application.acquireTokenSilent(silent(request), cancellation: nil)
    case "stopped":
      let cancellation = Cancellation()
      cancellation.cancel()
      _ = try application.acquireTokenSilent(silent(request), cancellation: cancellation)
    case "device":
      var device = DeviceCodeRequest(scopes: scopes(request))
      device.timeout = (request["timeout_milliseconds"]?.integer).map { .milliseconds($0) }
      _ = try application.acquireTokenByDeviceCode(device, cancellation: nil) {
        printLine("prompt", $0.json.serialized)
      }
    case "begin":
      return try application.beginSignIn(signIn(request), cancellation: nil).json.serialized
    case "complete":
      _ = try application.completeSignIn(
        RedirectResponse(
          state: Secret(request["state"]?.string ?? ""),
          response: .address(Secret(request["url"]?.string ?? ""))), cancellation: nil)
    case "interactive":
      _ = try application.acquireTokenInteractive(interactive(request), cancellation: nil)
    case "shown":
      _ = try application.acquireTokenInteractive(interactive(request), cancellation: nil) { _ in }
    case "account": _ = try application.account(username: request["username"]?.string ?? "")
    case "migrate":
      _ = try application.migrate(MigrationRequest(path: request["path"]?.string ?? ""))
    case "current": _ = try application.currentAccount()
    case "remove":
      for account in try application.accounts() { _ = try application.removeAccount(account) }
    case "sign_out": _ = try application.signOut(SignOutRequest(scope: .machine))
    default: _ = try application.accounts()
    }
    return "{}"
  }

  private static func scopes(_ request: JSONObject) -> [String] {
    (request["scopes"]?.array ?? []).compactMap(\.string)
  }

  private static func silent(_ request: JSONObject) -> SilentRequest {
    var silent = SilentRequest(
      homeAccountID: request["home_account_id"]?.string ?? "", scopes: scopes(request))
    if case .bool(true)? = request["force_refresh"] { silent.forcesRefresh = true }
    silent.claims = request["claims"]?.string
    silent.environment = request["environment"]?.string
    silent.authority = request["authority"]?.string
    silent.timeout = (request["timeout_milliseconds"]?.integer).map { .milliseconds($0) }
    return silent
  }

  private static func options(_ request: JSONObject) -> AuthorizationOptions {
    AuthorizationOptions(
      scopes: scopes(request), homeAccountID: request["home_account_id"]?.string,
      timeout: (request["timeout_milliseconds"]?.integer).map { .milliseconds($0) })
  }

  private static func signIn(_ request: JSONObject) -> SignInRequest {
    SignInRequest(
      options(request),
      lifetime: (request["lifetime_seconds"]?.integer).map { .seconds($0) } ?? .seconds(3600))
  }

  private static func interactive(_ request: JSONObject) -> InteractiveRequest {
    var interactive = InteractiveRequest(options(request))
    if request["browser"]?.string == "show" { interactive.browser.choice = .show }
    return interactive
  }

  private static func configuration(_ members: JSONObject) -> ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: members["client_id"]?.string ?? "")
    if let authority = members["authority"]?.string { configuration.authority = authority }
    if let type = members["authority_type"]?.string {
      configuration.authorityType = AuthorityType(rawValue: type)
    }
    configuration.redirectURI = members["redirect_uri"]?.string
    configuration.registeredSchemes = members["registered_schemes"]?.array?.compactMap(\.string)
    configuration.certificateAuthorityFile = members["ca_file"]?.string
    let sources = (members["key_sources"]?.array ?? []).compactMap(\.string)
    configuration.store = .sqlite(
      group: members["group"]?.string ?? "default",
      directory: members["store_directory"]?.string,
      policy: members["storage_policy"]?.string.flatMap(StoragePolicy.init) ?? .preferEncrypted,
      keySources: sources.compactMap(KeySource.init))
    return configuration
  }

  private static func object(_ text: String) -> JSONObject? {
    (try? JSONValue(parsing: Array(text.utf8)))?.object
  }

  private static func printLine(_ word: String, _ text: String) {
    print("\(word)\t\(text)")
    fflush(nil)
  }
}
