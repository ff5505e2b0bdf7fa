// SPDX-License-Identifier: MIT
// A sign-in that waits for its response on a separate thread, for tests that act as its browser.

import Foundation
import Synchronization
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// A sign-in with a state, `right` by default, from start to end.
final class WaitingSignIn: Sendable {
  /// The result of the sign-in.
  enum Outcome: Sendable {
    case received(RawAuthorizationResponse, reason: String)
    case failed(TesseraError)
  }

  let cancellation = Cancellation()
  let prompts = Recorder<SignInPrompt>()
  private let outcome = Recorder<Outcome>()
  private let browser: SystemBrowser

  /// Starts a sign-in, by default on a machine without a browser.
  init(
    _ redirectURI: String = "http://localhost",
    browser: SystemBrowser? = nil, facts: EnvironmentFacts = EnvironmentFacts(),
    preferences: BrowserPreferences = BrowserPreferences(),
    messages: [UserMessage: String] = [:], timeoutMilliseconds: Int64? = nil,
    state: String = "right", time: any TimeSource = SystemTime()
  ) {
    self.browser = browser ?? SystemBrowser(time: time, facts: { facts })
    Thread.detachNewThread { [self] in
      var request = BrowserRequest(
        redirectURI: redirectURI, preferences: preferences,
        timeout: timeoutMilliseconds.map { .milliseconds($0) }, cancellation: cancellation,
        prompt: { self.prompts.add($0) })
      request.messages = UserMessages(messages)
      do {
        outcome.add(try signIn(request, state))
      } catch {
        outcome.add(.failed(error as? TesseraError ?? TesseraError(.reportBug, .internalError, "")))
      }
    }
  }

  /// Opens the page, and replies to redirects until one belongs to the sign-in.
  private func signIn(_ request: BrowserRequest, _ state: String) throws -> Outcome {
    let session = try browser.session(request)
    defer { session.close() }
    try session.open(
      "https://login.example/authorize?state=\(state)&redirect_uri=\(session.redirectURI)")
    while true {
      let redirect = try session.next()
      let reply = WaitingSignIn.reply(to: redirect, state)
      session.reply(reply)
      if case .foreign = reply { continue }
      return .received(redirect, reason: session.reason)
    }
  }

  /// Returns the reply to a redirect, by its state and error.
  static func reply(to answer: RawAuthorizationResponse, _ state: String = "right") -> BrowserReply
  {
    let text =
      switch answer {
      case .address(let address): address.reveal().split(separator: "?").last.map(String.init) ?? ""
      case .form(let form): form.reveal()
      }
    let fields = FormFields(decoding: text)
    guard fields["state"] == state else { return .foreign }
    guard let error = fields["error"] else { return .success }
    return .failure(TesseraError(.cancelled, .accessDenied, error))
  }

  /// The port of the listener; nil if it does not start.
  var port: UInt16? {
    guard prompts.waitFor(1), let uri = prompts.elements.first?.redirectURI else { return nil }
    return URLComponents(string: uri)?.port.flatMap(UInt16.init(exactly:))
  }

  /// Whether the sign-in is still waiting.
  var isWaiting: Bool { outcome.elements.isEmpty }

  /// The result of the sign-in; nil if it does not end within a minute.
  var end: Outcome? { outcome.waitFor(1) ? outcome.elements.first : nil }

  /// The text of the response; nil if the sign-in failed.
  var answer: String? {
    guard case .received(let answer, _) = end else { return nil }
    return switch answer {
    case .address(let secret), .form(let secret): secret.reveal()
    }
  }

  /// The error code; nil if the sign-in succeeded.
  var errorCode: TesseraError.Code? {
    guard case .failed(let error) = end else { return nil }
    return error.code
  }
}
