// SPDX-License-Identifier: MIT
// The port that opens the provider's page for the user and receives the redirect.

package import TesseraWire

/// Opens the provider's page and receives the authorization response at the redirect URI.
package protocol Browser: Sendable {
  /// Waits, on the calling thread, for the authorization response of a sign-in.
  ///
  /// First it starts to listen for the redirect, if necessary. Then it calls ``BrowserRequest/page`` with the redirect URI
  /// in use to get the address, passes that to ``BrowserRequest/prompt``, and opens it. Each response is passed to
  /// ``BrowserRequest/classify``; responses to other sign-ins do not end the wait. All resources are released when the call
  /// ends. It ends within 100 ms of the limits.
  ///
  /// - Throws: `browserUnavailable` if there is no browser, `cancelled` if the user closed it or the limits were reached,
  ///   and any error of ``BrowserRequest/page``.
  func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserResponse

  /// Checks, without network access, that the system delivers redirects with the application's own URI scheme to this
  /// process.
  ///
  /// - Parameter preferences: The browser preferences of the application; `nil` for a page that the host application opens.
  /// - Throws: `redirectSchemeNotRegistered` if another application, or none, is registered for the scheme.
  func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError)
}

extension Browser {
  /// Accepts every redirect URI.
  package func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError) {}
}

/// The parameters of one sign-in in a browser; used on the calling thread only.
package struct BrowserRequest {
  /// The redirect URI of the application.
  ///
  /// A loopback address without a port means any free port.
  package var redirectURI: String
  /// Returns the address of the page for the actual redirect URI, which is ``redirectURI`` with a port if it has none.
  ///
  /// It is called once. An error that it throws ends the call.
  package var page: (_ redirectURI: String) throws(TesseraError) -> String
  /// Decides whether an authorization response ends the sign-in.
  package var classify: @Sendable (RawAuthorizationResponse) -> RedirectClassification
  /// Passes the address to the host application, before the browser is opened or because there is none; `nil` for no
  /// prompt.
  package var prompt: ((SignInPrompt) -> Void)?
  /// The browser preferences of the application.
  package var preferences: BrowserPreferences
  /// The texts for users.
  package var messages: UserMessages

  package init(
    redirectURI: String, preferences: BrowserPreferences = BrowserPreferences(),
    messages: UserMessages = UserMessages(),
    page: @escaping (String) throws(TesseraError) -> String,
    classify: @escaping @Sendable (RawAuthorizationResponse) -> RedirectClassification,
    prompt: ((SignInPrompt) -> Void)? = nil
  ) {
    self.redirectURI = redirectURI
    self.preferences = preferences
    self.messages = messages
    self.page = page
    self.classify = classify
    self.prompt = prompt
  }
}

/// The effect of an authorization response on a pending sign-in.
package enum RedirectClassification: Sendable {
  /// It belongs to another sign-in.
  ///
  /// The sender receives an error page, and the wait continues.
  case foreign
  /// It ends the sign-in with an authorization code.
  case success
  /// It ends the sign-in with an error of the provider, whose message may be displayed as plain text.
  case failure(TesseraError)
}

/// An authorization response, and how the page was opened.
package struct BrowserResponse: Sendable {
  /// The authorization response received at the redirect URI.
  package var answer: RawAuthorizationResponse
  /// The reason why the page was opened in this way, as listed in docs/interactive.md.
  package var reason: String

  package init(_ answer: RawAuthorizationResponse, reason: String) {
    self.answer = answer
    self.reason = reason
  }
}

/// The port of a machine without a browser.
package struct NoBrowser: Browser {
  package init() {}

  package func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserResponse {
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "No browser can be opened on this machine: sign in with a device code, or show the sign-in address to the user."
    )
  }
}
