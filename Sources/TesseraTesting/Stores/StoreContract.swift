// SPDX-License-Identifier: MIT
// The contract that every store keeps: rules that can be broken, each with a name.

import TesseraCache
package import TesseraEngine
import TesseraWire

/// A rule that every store keeps, whatever it is made of.
package struct StoreRule: Sendable {
  /// What holds, as a sentence.
  package let name: String
  private let check: @Sendable (StoreTrial) throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (StoreTrial) throws -> Void) {
    self.name = name
    self.check = check
  }

  /// Tries the rule.
  ///
  /// - Parameters:
  ///   - tellsVersions: whether the store can tell its version without being asked for records.
  ///   - open: opens the store; twice gives two handles of the same one, as two programs have them.
  /// - Throws: ``StoreViolation`` when the rule is broken, or what the store threw.
  package func verify(
    time: any TimeSource, tellsVersions: Bool = true,
    open: @escaping @Sendable () -> any CredentialStore
  ) throws {
    try check(StoreTrial(time: time, tellsVersions: tellsVersions, one: open(), other: open()))
  }
}

/// How a store broke a rule.
package struct StoreViolation: Error, CustomStringConvertible {
  package let description: String
}

/// Two handles of one store, with what the rules need.
struct StoreTrial {
  let time: any TimeSource
  let tellsVersions: Bool
  let one: any CredentialStore
  let other: any CredentialStore

  func require(_ condition: Bool, _ what: String) throws {
    guard condition else { throw StoreViolation(description: what) }
  }

  /// What the other handle sees of an account.
  func seen(of owner: String, scope: String? = nil) throws -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.scope = scope
    return try other.snapshot(selection, within: .none).records
  }

  /// The version of what the other handle sees of an account, or of all.
  func version(of owner: String?) throws -> StoreVersion? {
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.everyAccount = owner == nil
    return try other.snapshot(selection, within: .none).version
  }

  func commit(_ steps: CacheChange.Step...) throws {
    try one.commit(CacheChange(steps), within: .none)
  }
}

extension CredentialRecord {
  /// A credential for a trial.
  static func trial(
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

  /// The same of another issuer.
  func at(_ environment: String) -> CredentialRecord {
    var record = self
    record.environment = environment
    return record
  }
}

extension AccountRecord {
  /// An account for a trial.
  static func trial(owner: String = "home", name: String?) -> AccountRecord {
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
