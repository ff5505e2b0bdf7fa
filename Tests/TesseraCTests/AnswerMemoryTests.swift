// SPDX-License-Identifier: MIT
// Ready answers: given again only while they are true.

import TesseraCache
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct AnswerMemoryTests {
  private static let version = StoreVersion(identity: 1, commits: 2)
  private static let now = Instant(secondsSince1970: 1000)

  private func head(_ question: String, _ answer: String) -> AnswerHead {
    question.withBytes { bytes in
      AnswerHead(
        version: Self.version, usableFrom: Self.now, usableUntil: Self.now.adding(seconds: 10),
        hash: AnswerTable.hash(bytes), questionCount: bytes.count, answerCount: answer.utf8.count)
    }
  }

  private func insert(_ table: inout AnswerTable, _ question: String, _ answer: String) {
    let head = head(question, answer)
    question.withBytes { table.insert(head, $0, Array(answer.utf8)) }
  }

  private func answer(_ table: AnswerTable, _ question: String) -> String? {
    question.withBytes { bytes in
      table.answer(to: bytes, AnswerTable.hash(bytes)).map {
        String(decoding: $0.bytes, as: UTF8.self)
      }
    }
  }

  @Test func `thousands of answers are found, replaced ones are gone`() {
    var table = AnswerTable()
    for round in 0..<2 {
      for index in 0..<5000 { insert(&table, "question \(index)", "answer \(index) \(round)") }
    }
    for index in 0..<5000 { #expect(answer(table, "question \(index)") == "answer \(index) 1") }
    #expect(answer(table, "question 5000") == nil)
    table.removeAll()
    #expect(answer(table, "question 1") == nil)
    insert(&table, "", "")
    #expect(answer(table, "") == "")
    table.removeAll()
  }

  @Test func `questions with the same hash are kept apart`() {
    var table = AnswerTable()
    for text in ["a", "b"] {
      text.withBytes { bytes in
        let head = AnswerHead(
          version: Self.version, usableFrom: Self.now, usableUntil: Self.now, hash: 7,
          questionCount: bytes.count, answerCount: 1)
        table.insert(head, bytes, Array(text.utf8))
      }
    }
    "b".withBytes { bytes in
      #expect(table.answer(to: bytes, 7).map { Array($0.bytes) } == Array("b".utf8))
    }
    "c".withBytes { #expect(table.answer(to: $0, 7) == nil) }
    table.removeAll()
  }

  @Test func `an answer is given while nobody has committed and its time lasts`() throws {
    let bench = try SilentAnswer.sample(version: Self.version, now: Self.now)
    let memory = AnswerMemory()
    defer { memory.free() }
    "request".withCString { request in
      memory.remember(Array("response".utf8), bench, to: request)
      func given(_ version: StoreVersion?, _ now: Instant) -> Bool {
        let copy = memory.answer(to: request, version: version, now: now)
        defer { free(copy) }
        return copy.map { String(cString: $0) } == "response"
      }
      #expect(given(Self.version, Self.now))
      #expect(given(Self.version, Self.now.adding(seconds: 9)))
      #expect(!given(Self.version, Self.now.adding(seconds: 10)))
      #expect(!given(Self.version, Self.now.adding(seconds: -1)))
      #expect(!given(StoreVersion(identity: 1, commits: 4), Self.now))
      #expect(!given(StoreVersion(identity: 2, commits: 2), Self.now))
      #expect(!given(nil, Self.now))
    }
  }

  @Test func `a commit makes room: what it made untrue is forgotten`() {
    var table = AnswerTable()
    insert(&table, "old", "answer")
    "new".withBytes { bytes in
      let head = AnswerHead(
        version: StoreVersion(identity: 1, commits: 4), usableFrom: Self.now, usableUntil: Self.now,
        hash: AnswerTable.hash(bytes), questionCount: bytes.count, answerCount: 1)
      table.insert(head, bytes, [0])
    }
    #expect(answer(table, "old") == nil)
    table.removeAll()
  }

  @Test func `many threads read while one writes`() async throws {
    let memory = AnswerMemory()
    defer { memory.free() }
    let sample = try SilentAnswer.sample(version: Self.version, now: Self.now)
    let remember = { @Sendable (round: Int) in
      let name = "request \(round % 50)"
      name.withCString { memory.remember(Array("\(name) \(round)".utf8), sample, to: $0) }
    }
    for round in 0..<50 { remember(round) }
    let read = { @Sendable (number: Int) -> Bool in
      let name = "request \(number % 50)"
      let copy = name.withCString { memory.answer(to: $0, version: Self.version, now: Self.now) }
      defer { free(copy) }
      guard let copy else { return false }
      #expect(String(cString: copy).hasPrefix(name + " "))
      return true
    }
    await withTaskGroup(of: Void.self) { group in
      // The writer first: with two cores, it shares them with one reader at a time.
      group.addTask { for round in 0..<20_000 { remember(round) } }
      for reader in 0..<4 {
        group.addTask { for round in 0..<20_000 { _ = read(reader + round) } }
      }
    }
    // How many reads met the writer is up to the machine; afterwards nobody is in the way.
    #expect((0..<50).allSatisfy(read))
  }
}

extension String {
  fileprivate func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    Array(utf8).withUnsafeBytes(body)
  }
}

extension SilentAnswer {
  /// An answer that is good for ten seconds.
  fileprivate static func sample(version: StoreVersion, now: Instant) throws -> SilentAnswer {
    var token = CredentialRecord(type: .accessToken, secret: Secret("token"))
    token.expiresAt = now.adding(seconds: 10)
    let account = Account(
      homeAccountID: "h", environment: "e", username: nil, name: nil, tenantProfiles: [])
    let result = TokenResult(
      accessToken: token, idToken: nil, account: account, authority: "a", source: .cache)
    return SilentAnswer(
      result: result, version: version, usableFrom: now, usableUntil: now.adding(seconds: 10))
  }
}
