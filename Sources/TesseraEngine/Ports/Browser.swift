// SPDX-License-Identifier: MIT
// The port through which a person gets to a provider's page, and what the page answers comes back.

package import TesseraWire

/// Brings a person to a page, and brings back what came to the redirect URI.
package protocol Browser: Sendable {
  /// Waits, on the calling thread, for the answer of a sign-in.
  ///
  /// First it makes ready for the answer, where it has to listen for one; then it asks ``BrowserRequest/page`` for the
  /// address, with the redirect URI at which it listens, tells the host with ``BrowserRequest/prompt``, and opens it.
  /// What comes is judged with ``BrowserRequest/verdict``: only what belongs to the sign-in ends the wait. Nothing of it
  /// is left when the call ends. It ends within 100 ms of the limits.
  ///
  /// - Throws: `browserUnavailable` where there is none, `cancelled` when the person closed it or at the limits, what
  ///   ``BrowserRequest/page`` throws.
  func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserAnswer

  /// Checks, without any network, that the system would bring here what comes to a redirect URI of a program's own scheme.
  ///
  /// - Parameter preferences: what the application prefers about the browser; nil for a page that the host opens.
  /// - Throws: `redirectSchemeNotRegistered`.
  func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError)
}

extension Browser {
  /// Finds nothing wrong.
  package func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError) {}
}

/// What a browser is to do for one sign-in; used on the calling thread only.
package struct BrowserRequest {
  /// The redirect URI of the application; a loopback address without a port stands for one with any free port.
  package var redirectURI: String
  /// The address of the page for the redirect URI that is used, which is ``redirectURI`` with a port where it has none.
  ///
  /// Asked once. What it throws ends the call.
  package var page: (_ redirectURI: String) throws(TesseraError) -> String
  /// What an answer is to the sign-in.
  package var verdict: @Sendable (AuthorizationAnswer) -> AnswerVerdict
  /// Shows the address to the host, before the browser is opened or because there is none; nil if the host shows nothing.
  package var prompt: ((SignInPrompt) -> Void)?
  /// What the application prefers.
  package var preferences: BrowserPreferences

  package init(
    redirectURI: String, preferences: BrowserPreferences = BrowserPreferences(),
    page: @escaping (String) throws(TesseraError) -> String,
    verdict: @escaping @Sendable (AuthorizationAnswer) -> AnswerVerdict,
    prompt: ((SignInPrompt) -> Void)? = nil
  ) {
    self.redirectURI = redirectURI
    self.preferences = preferences
    self.page = page
    self.verdict = verdict
    self.prompt = prompt
  }
}

/// What an answer is to a sign-in that waits.
package enum AnswerVerdict: Sendable {
  /// It is not this sign-in's: whoever sent it is told so, and the wait goes on.
  case foreign
  /// It ends the sign-in with a code.
  case success
  /// It ends the sign-in with an error of the provider, whose message may be shown as text.
  case failure(TesseraError)
}

/// What came back, and how.
package struct BrowserAnswer: Sendable {
  /// What came to the redirect URI.
  package var answer: AuthorizationAnswer
  /// Why the person got to the page in the way they did: one of the words in docs/interactive.md.
  package var reason: String

  package init(_ answer: AuthorizationAnswer, reason: String) {
    self.answer = answer
    self.reason = reason
  }
}

/// Where no browser was given.
package struct NoBrowser: Browser {
  package init() {}

  package func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserAnswer {
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "There is no browser here: sign in with a device code, or show the page yourself.")
  }
}
