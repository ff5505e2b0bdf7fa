// SPDX-License-Identifier: MIT
// The contract of all stores: testable rules with names.

import TesseraCache
package import TesseraEngine
import TesseraWire

/// A rule that every implementation of a store must satisfy.
package struct StoreRule: Sendable {
  /// The rule as a sentence.
  package let name: String
  private let check: @Sendable (StoreTestContext) throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (StoreTestContext) throws -> Void) {
    self.name = name
    self.check = check
  }

  /// Tests the rule.
  ///
  /// - Parameters:
  ///   - time: The clock for timeouts.
  ///   - reportsVersions: Whether the store can report its version without reading records.
  ///   - open: Opens the store. Two calls return two handles of the same store, like those of two processes.
  /// - Throws: ``StoreViolation`` if the rule is violated, or the error of the store.
  package func verify(
    time: any TimeSource, reportsVersions: Bool = true,
    open: @escaping @Sendable () -> any CredentialStore
  ) throws {
    try check(
      StoreTestContext(time: time, reportsVersions: reportsVersions, one: open(), other: open()))
  }
}

/// A violation of a rule.
package struct StoreViolation: Error, CustomStringConvertible {
  package let description: String
}

/// Two handles of a store, with helpers for the rules.
struct StoreTestContext {
  let time: any TimeSource
  let reportsVersions: Bool
  let one: any CredentialStore
  let other: any CredentialStore

  func require(_ condition: Bool, _ what: String) throws {
    guard condition else { throw StoreViolation(description: what) }
  }

  /// Returns the records of an account, as read through the other handle.
  func seen(of owner: String, scope: String? = nil) throws -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.scope = scope
    return try other.snapshot(selection, within: .none).records
  }

  /// Returns the version of an account, or of all accounts, as read through the other handle.
  func version(of owner: String?) throws -> StoreVersion? {
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.allAccounts = owner == nil
    return try other.snapshot(selection, within: .none).version
  }

  @discardableResult
  func commit(_ steps: CacheChange.Step...) throws -> CommitOutcome {
    try commit(steps)
  }

  @discardableResult
  func commit(_ steps: [CacheChange.Step]) throws -> CommitOutcome {
    try one.commit(CacheChange(steps), within: .none)
  }

  /// Requires that each of two users has exactly its own two tokens, account and sign-in.
  func requireSeparate(_ one: String, _ other: String, _ when: String) throws {
    for owner in [one, other] {
      let secrets: Set = ["r\(Array(owner.utf8))", "a\(Array(owner.utf8))"]
      try require(try seen(of: owner).secrets == secrets, "not exactly its own tokens, \(when)")
    }
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let all = try self.other.snapshot(selection, within: .none)
    let owners = Set(all.accounts.map { Array($0.homeAccountID.utf8) })
    try require(owners == [Array(one.utf8), Array(other.utf8)], "an account is missing, \(when)")
    try require(all.signInStates(of: "client").count == 2, "a sign-in is missing, \(when)")
  }
}

extension CredentialRecord {
  /// Creates a credential for a test.
  static func sample(
    _ type: CredentialType, _ secret: String, owner: String = "home", client: String = "client",
    target: String? = nil
  ) -> CredentialRecord {
    var record = CredentialRecord(type: type, secret: Secret(secret))
    record.homeAccountID = owner
    record.environment = "issuer.example"
    record.clientID = client
    if type.isAccessToken {
      record.realm = "tenant"
      record.target = target ?? "read"
    }
    return record
  }

  /// Returns a copy for another issuer.
  func at(_ environment: String) -> CredentialRecord {
    var record = self
    record.environment = environment
    return record
  }
}

extension AccountRecord {
  /// Creates an account for a test.
  static func sample(owner: String = "home", name: String?) -> AccountRecord {
    var record = AccountRecord(
      homeAccountID: owner, environment: "issuer.example", realm: "tenant")
    record.name = name
    return record
  }
}

extension [CacheRecord] {
  var secrets: Set<String> {
    Set(
      compactMap { record in
        if case .credential(let token) = record { token.secret.reveal() } else { nil }
      })
  }
}
