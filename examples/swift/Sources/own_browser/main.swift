// SPDX-License-Identifier: MIT
// Sign in with a browser of the application: here one that prints the page, and reads the redirect from standard input.

import Tessera

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A browser without a window.
struct OwnBrowser: Browser {
  func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    OwnBrowserSession(redirectURI: request.redirectURI)
  }
}

/// One sign-in.
final class OwnBrowserSession: BrowserSession {
  let redirectURI: String

  init(redirectURI: String) {
    self.redirectURI = redirectURI
  }

  func open(_ page: String) throws(TesseraError) {
    print("page: \(page)")
    // Standard output may be a pipe.
    fflush(nil)
  }

  func next() throws(TesseraError) -> RawAuthorizationResponse {
    guard let address = readLine() else {
      throw TesseraError(.cancelled, .cancelled, "The user closed the browser.")
    }
    return .address(Secret(address))
  }

  func reply(_ reply: BrowserReply) {
    switch reply {
    case .foreign: print("reply: the redirect belongs to another sign-in")
    case .success: print("reply: signed in")
    case .failure(let error): print("reply: \(error.message)")
    }
  }

  func close() {
    print("closed")
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: own_browser CLIENT_ID AUTHORITY")
  exit(2)
}
var configuration = ApplicationConfiguration(clientID: arguments[1])
configuration.authority = arguments[2]
configuration.store = .memory
configuration.redirectURI = "com.example.app://auth"
configuration.registeredSchemes = ["com.example.app"]
configuration.host.browser = OwnBrowser()
let application = try PublicClientApplication(configuration)
let token = try application.acquireTokenInteractive(
  InteractiveRequest(scopes: ["read"]), cancellation: nil)
print("token: \(token.account.username ?? "someone"), \(token.browserReason ?? "none")")
