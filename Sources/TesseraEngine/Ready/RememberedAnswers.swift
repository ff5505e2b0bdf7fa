// SPDX-License-Identifier: MIT
// The answers of this process's recent calls in Swift, handed out again while they are true.

import TesseraCache
import TesseraWire

/// An answer of the silent flow, with what it takes to give it again.
package struct SilentResult: Sendable {
  /// The answer.
  package var result: TokenResult
  /// When it can be given again; nil for never.
  ///
  /// Before its time the clock was set back.
  package var truth: AnswerTruth?

  /// An answer with its parts.
  package init(result: TokenResult, truth: AnswerTruth?) {
    self.result = result
    self.truth = truth
  }
}

/// Answers by request, and the accounts.
package final class RememberedAnswers: Sendable {
  /// What the parts of a token take beside their texts.
  private static let resultSize = 1024
  /// What an account takes, more or less; a list of them counts like other answers.
  private static let accountSize = 512

  private let memory = AnswerMemory()
  /// The list of the accounts that was read last, current or not.
  private let latest = SpinLock<AccountsAnswer?>(nil)
  private let cache: CredentialCache
  private let time: any TimeSource

  /// No answers yet, of a cache.
  init(_ cache: CredentialCache, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  deinit {
    memory.free()
  }

  /// The answer to a request, if it is still true.
  func answer(to request: SilentRequest) -> TokenResult? {
    guard RememberedAnswers.isRepeatable(request) else { return nil }
    let content: AnyObject? = request.withQuestion { question in
      let reading = time.reading
      return memory.object(answering: question, at: reading, isCurrent: isCurrent)
        ?? (memory.renew(answering: question, at: reading, cache.renewed)
          ? memory.object(answering: question, at: reading) { _ in true } : nil)
    }
    return (content as? TokenResult.Content).map(TokenResult.init)
  }

  /// Remembers an answer.
  func remember(_ answer: SilentResult, to request: SilentRequest) {
    guard let truth = answer.truth, RememberedAnswers.isRepeatable(request) else { return }
    let texts = answer.result.accessToken.utf8Count + (answer.result.idToken?.utf8Count ?? 0)
    request.withQuestion { question in
      memory.remember(
        (answer.result.content, size: texts + RememberedAnswers.resultSize), truth,
        answering: question, at: time.reading, isOfUse: cache.isOfUse)
    }
  }

  /// The accounts, if nobody has committed since they were read.
  var accounts: AccountsAnswer? {
    RememberedAnswers.withAccountsQuestion { question in
      memory.object(answering: question, at: .always, isCurrent: isCurrent)
    } as? AccountsAnswer
  }

  /// The accounts as they were read last, to be brought up to date; nil for none.
  var latestAccounts: AccountsAnswer? { latest.withLock { $0 } }

  /// Remembers the accounts.
  func remember(_ answer: AccountsAnswer) {
    guard let version = answer.version else { return }
    latest.withLock { $0 = answer }
    RememberedAnswers.withAccountsQuestion { question in
      memory.remember(
        (answer, size: answer.count * RememberedAnswers.accountSize), AnswerTruth(version),
        answering: question, at: time.reading, isOfUse: cache.isOfUse)
    }
  }

  /// Whether the same request may get the same answer.
  package static func isRepeatable(_ request: SilentRequest) -> Bool {
    !request.forcesRefresh && request.claims == nil && !request.isForApplication
  }

  private func isCurrent(_ version: StoreVersion) -> Bool { cache.isCurrent(version) }

  /// No request is like this: it has one authority at most.
  private static func withAccountsQuestion<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    withUnsafeBytes(of: (QuestionMark.authority, QuestionMark.authority), body)
  }
}

/// Ends a part of a question; none of these bytes is in any text.
private enum QuestionMark: UInt8 {
  case scope = 0xFE
  case authority = 0xFF
  case environment = 0xFD
}

extension SilentRequest {
  /// Hands over what tells one question from another, as bytes that live during the call.
  fileprivate func withQuestion<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    var size = homeAccountID.utf8.count + 1 + (authority?.utf8.count ?? 0)
    for scope in scopes { size += scope.utf8.count + 1 }
    if let environment { size += environment.utf8.count + 1 }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
      var end = SilentRequest.append(homeAccountID, to: memory, at: 0)
      for scope in scopes {
        memory[end] = QuestionMark.scope.rawValue
        end = SilentRequest.append(scope, to: memory, at: end + 1)
      }
      if let authority {
        memory[end] = QuestionMark.authority.rawValue
        end = SilentRequest.append(authority, to: memory, at: end + 1)
      }
      if let environment {
        memory[end] = QuestionMark.environment.rawValue
        end = SilentRequest.append(environment, to: memory, at: end + 1)
      }
      return body(UnsafeRawBufferPointer(rebasing: memory[..<end]))
    }
  }

  @inline(__always)
  private static func append(
    _ text: String, to memory: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count])
      room.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return start + bytes.count
    }
  }
}
