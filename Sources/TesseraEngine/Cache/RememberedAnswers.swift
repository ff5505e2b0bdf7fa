// SPDX-License-Identifier: MIT
// The answers of this process's recent calls, handed out again while nobody has committed since.

package import TesseraCache
package import TesseraWire

/// An answer of the silent flow, with what it takes to give it again.
package struct SilentAnswer: Sendable {
  /// The answer.
  package var result: TokenResult
  /// The state of the store it was made from; nil for an answer that must not be given again.
  package var version: StoreVersion?
  /// From when it can be given again: before that, the clock was set back.
  package var usableFrom: Instant
  /// Until when it can be given again.
  package var usableUntil: Instant

  /// An answer with its parts.
  package init(
    result: TokenResult, version: StoreVersion?, usableFrom: Instant, usableUntil: Instant
  ) {
    self.result = result
    self.version = version
    self.usableFrom = usableFrom
    self.usableUntil = usableUntil
  }
}

/// The accounts that an application can use, with the state of the store they were read from.
package struct AccountsAnswer: Sendable {
  /// The answer.
  package var accounts: [Account]
  /// The state of the store; nil for an answer that must not be given again.
  package var version: StoreVersion?
}

/// Answers by request, and the accounts; all of one state of the store.
package final class RememberedAnswers: Sendable {
  private struct Question: Hashable {
    let homeAccountID: String
    let scopes: [String]
    let authority: String?

    init(_ request: SilentRequest) {
      homeAccountID = request.homeAccountID
      scopes = request.scopes
      authority = request.authority
    }
  }

  private struct State {
    var version: StoreVersion?
    var answers: [Question: SilentAnswer] = [:]
    var bytes = 0
    var accounts: AccountsAnswer?

    /// Forgets what a newer state of the store has made untrue.
    mutating func begin(_ version: StoreVersion) {
      if self.version != version { self = State(version: version) }
    }
  }

  /// Bytes of tokens that are remembered at most; then all are forgotten, and those in use come back.
  private static let capacity = 256 << 20

  private let state = BriefLock(State())

  package init() {}

  /// The answer to a request, if it is still true.
  package func answer(
    to request: SilentRequest, version: StoreVersion?, now: Instant
  ) -> TokenResult? {
    guard let version, RememberedAnswers.isRepeatable(request) else { return nil }
    let question = Question(request)
    guard let answer = state.withLock({ $0.answers[question] }), answer.version == version,
      answer.usableFrom <= now, now < answer.usableUntil
    else { return nil }
    return answer.result
  }

  /// Remembers an answer.
  package func remember(_ answer: SilentAnswer, to request: SilentRequest) {
    guard let version = answer.version, RememberedAnswers.isRepeatable(request) else { return }
    let size = answer.result.accessToken.utf8Count + (answer.result.idToken?.utf8Count ?? 0) + 1024
    state.withLock { state in
      state.begin(version)
      if state.bytes + size > RememberedAnswers.capacity { state = State(version: version) }
      if state.answers.updateValue(answer, forKey: Question(request)) == nil { state.bytes += size }
    }
  }

  /// The accounts, if nobody has committed since they were read.
  package func accounts(version: StoreVersion?) -> AccountsAnswer? {
    guard let version, let answer = state.withLock({ $0.accounts }), answer.version == version
    else { return nil }
    return answer
  }

  /// Remembers the accounts.
  package func remember(_ answer: AccountsAnswer) {
    guard let version = answer.version else { return }
    state.withLock { state in
      state.begin(version)
      state.accounts = answer
    }
  }

  /// Whether the same request may get the same answer.
  package static func isRepeatable(_ request: SilentRequest) -> Bool {
    !request.forcesRefresh && request.claims == nil
  }
}
