// SPDX-License-Identifier: MIT
// A sign-in that waits for its answer on a thread of its own, for tests that are its browser.

import Foundation
import Synchronization
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// A sign-in with the state `right`, or another one, from its call to its end.
final class WaitingSignIn: Sendable {
  /// How it ended.
  enum Outcome: Sendable {
    case answered(BrowserAnswer)
    case failed(TesseraError)
  }

  let cancellation = Cancellation()
  let prompts = Recorder<SignInPrompt>()
  private let outcome = Recorder<Outcome>()
  private let browser: SystemBrowser

  /// Begins; with `facts` of a machine without a browser unless they say otherwise.
  init(
    _ redirectURI: String = "http://localhost",
    browser: SystemBrowser? = nil, facts: EnvironmentFacts = EnvironmentFacts(),
    preferences: BrowserPreferences = BrowserPreferences(), timeoutMilliseconds: Int64? = nil,
    state: String = "right", time: any TimeSource = SystemTime()
  ) {
    self.browser = browser ?? SystemBrowser(time: time, facts: { facts })
    Thread.detachNewThread { [self] in
      let limits = CallLimits(
        timeoutMilliseconds: timeoutMilliseconds, cancellation: cancellation, time: time)
      let request = BrowserRequest(
        redirectURI: redirectURI, preferences: preferences,
        page: { "https://login.example/authorize?state=\(state)&redirect_uri=\($0)" },
        verdict: { WaitingSignIn.verdict($0, state) }, prompt: { self.prompts.add($0) })
      do {
        outcome.add(.answered(try self.browser.answer(to: request, within: limits)))
      } catch {
        outcome.add(.failed(error as? TesseraError ?? TesseraError(.reportBug, .internalError, "")))
      }
    }
  }

  /// What is the sign-in's own: a state, and a code or an error.
  static func verdict(_ answer: AuthorizationAnswer, _ state: String = "right") -> AnswerVerdict {
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

  /// The port at which it listens; nil when it does not come about.
  var port: UInt16? {
    guard prompts.waitFor(1), let uri = prompts.elements.first?.redirectURI else { return nil }
    return URLComponents(string: uri)?.port.flatMap(UInt16.init(exactly:))
  }

  /// Whether it still waits.
  var isWaiting: Bool { outcome.elements.isEmpty }

  /// How it ended; nil if it does not within a minute.
  var end: Outcome? { outcome.waitFor(1) ? outcome.elements.first : nil }

  /// The text of the answer with which it ended.
  var answer: String? {
    guard case .answered(let answer) = end else { return nil }
    return switch answer.answer {
    case .address(let secret), .form(let secret): secret.reveal()
    }
  }

  /// The code of the error with which it ended.
  var errorCode: ErrorCode? {
    guard case .failed(let error) = end else { return nil }
    return error.code
  }
}
