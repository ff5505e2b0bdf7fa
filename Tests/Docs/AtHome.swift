// SPDX-License-Identifier: MIT
// The declarations for the Swift blocks of the pages: an application at the local provider, with Alice signed in.

import Glibc
import Tessera

let home = variable("HOME")
nonisolated(unsafe) var shown: [String] = []
nonisolated(unsafe) var kept: [Secret] = []
nonisolated(unsafe) var added: [ExportedSignIns.Item] = []

/// A keychain that stores added items.
struct Keychain {
  func add(_ item: ExportedSignIns.Item, to groups: [String]) {
    if !groups.isEmpty { added.append(item) }
  }
}

/// Returns an environment variable.
func variable(_ name: String) -> String {
  getenv(name).map { String(cString: $0) } ?? ""
}

/// Returns the configuration of an application at the local provider.
func atHome(_ clientID: String) -> ApplicationConfiguration {
  var configuration = ApplicationConfiguration(clientID: clientID)
  configuration.authority = variable("DOCS_AUTHORITY")
  configuration.authorityType = .entra
  return configuration
}

/// The same with the settings that Microsoft Authenticator requires.
func forAuthenticator() -> ApplicationConfiguration {
  var configuration = atHome("your-client-id")
  configuration.bundleID = "com.contoso.app"
  configuration.redirectURI = "msauth.com.contoso.app://auth"
  return configuration
}

/// Returns the redirect URL after Alice has signed in, in a browser (`page`) or in `authenticator`.
func opened(_ address: String, in what: String) -> String {
  guard let pipe = popen("alice \(what) '\(address)'", "r") else { return "" }
  defer { pclose(pipe) }
  var line = [CChar](repeating: 0, count: 1 << 16)
  guard fgets(&line, Int32(line.count), pipe) != nil else { return "" }
  let bytes = line.prefix { $0 != 10 && $0 != 0 }.map(UInt8.init(bitPattern:))
  return String(decoding: bytes, as: UTF8.self)
}

/// Shows an address to Alice.
func show(_ address: String) { shown.append(opened(address, in: "page")) }

/// Returns the redirect URL after the address that was shown last.
func waitForRedirect() -> String { shown.last ?? "" }

/// Stores the state of a sign-in.
func keep(_ state: Secret) { kept.append(state) }

/// Exits with a failure unless a condition holds.
func check(_ holds: Bool) {
  if !holds {
    print("what must hold after the block does not")
    exit(1)
  }
}

/// Exits with a failure unless a token belongs to Alice.
func check(_ result: TokenResult) { check(result.account.username == "alice@contoso.com") }
