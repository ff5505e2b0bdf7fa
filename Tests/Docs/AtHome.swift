// SPDX-License-Identifier: MIT
// What the Swift blocks of the pages presuppose: an application at the local provider, to which Alice has signed in.

import Glibc
import Tessera

let home = variable("HOME")
nonisolated(unsafe) var shown: [String] = []
nonisolated(unsafe) var kept: [Secret] = []
nonisolated(unsafe) var added: [ExportedSignIns.Item] = []

/// A keychain that remembers what is added.
struct Keychain {
  func add(_ item: ExportedSignIns.Item, to groups: [String]) {
    if !groups.isEmpty { added.append(item) }
  }
}

/// A variable of the environment.
func variable(_ name: String) -> String {
  getenv(name).map { String(cString: $0) } ?? ""
}

/// An application at the local provider.
func atHome(_ clientID: String) -> ApplicationConfiguration {
  var configuration = ApplicationConfiguration(clientID: clientID)
  configuration.authority = variable("DOCS_AUTHORITY")
  configuration.authorityType = .entra
  return configuration
}

/// The same with what Microsoft Authenticator asks of an application.
func forAuthenticator() -> ApplicationConfiguration {
  var configuration = atHome("your-client-id")
  configuration.bundleID = "com.contoso.app"
  configuration.redirectURI = "msauth.com.contoso.app://auth"
  return configuration
}

/// The address that Alice ends at, who opens one in a browser (`page`) or in `authenticator`.
func opened(_ address: String, in what: String) -> String {
  guard let pipe = popen("person \(what) '\(address)'", "r") else { return "" }
  defer { pclose(pipe) }
  var line = [CChar](repeating: 0, count: 1 << 16)
  guard fgets(&line, Int32(line.count), pipe) != nil else { return "" }
  let bytes = line.prefix { $0 != 10 && $0 != 0 }.map(UInt8.init(bitPattern:))
  return String(decoding: bytes, as: UTF8.self)
}

/// Show an address to Alice.
func show(_ address: String) { shown.append(opened(address, in: "page")) }

/// Keep the state of a sign-in.
func keep(_ state: Secret) { kept.append(state) }

/// End with a failure unless something holds.
func check(_ holds: Bool) {
  if !holds {
    print("what must hold after the block does not")
    exit(1)
  }
}

/// End with a failure unless a token is Alice's.
func check(_ result: TokenResult) { check(result.account.username == "alice@contoso.com") }
