// SPDX-License-Identifier: MIT
// An in-memory keyring that can be locked, fail, or be changed by others during a test.

import TesseraEngine

@testable import TesseraMSALFile
@testable import TesseraPlatform

/// An in-memory keyring, in which items are found by the attributes that libsecret uses.
final class TestKeyring: Keyring {
  /// A stored item.
  struct Stored: Sendable {
    var secret: [UInt8]
    var label: String
    var modified: UInt64

    /// The secret as text.
    var text: String { String(decoding: secret, as: UTF8.self) }
  }

  private struct State: Sendable {
    var items: [[String]: Stored] = [:]
    var failure: KeyFailure?
    var looks = 0
    var beforeStoring: (@Sendable () -> Void)?
  }

  private let state = SpinLock(State())

  /// The failure of every operation; nil for success.
  var failure: KeyFailure? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// The number of times an item was read.
  var looks: Int { state.withLock { $0.looks } }

  /// Sets a hook that runs once before the next write, like a concurrent write of another process.
  func beforeStoring(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeStoring = body }
  }

  /// The stored item; nil if there is none.
  subscript(_ item: KeyringItem) -> Stored? {
    get { state.withLock { $0.items[Self.key(item)] } }
    set { state.withLock { $0.items[Self.key(item)] = newValue } }
  }

  /// Stores a secret in an item, as another library does.
  func put(_ secret: String, _ item: KeyringItem, label: String = "theirs") {
    self[item] = Stored(secret: Array(secret.utf8), label: label, modified: 1)
  }

  func content(
    of item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> KeyringItemContent? {
    if let failure { throw failure }
    state.withLock { $0.looks += 1 }
    return self[item].map {
      KeyringItemContent(text: ItemEncoding.read($0.secret).text, modified: $0.modified)
    }
  }

  func modified(of item: KeyringItem, within limits: CallLimits) throws(KeyFailure) -> UInt64? {
    if let failure { throw failure }
    return self[item]?.modified
  }

  func checkAvailability(for item: KeyringItem, within limits: CallLimits) throws(KeyFailure) {
    if let failure { throw failure }
  }

  func store(
    _ text: [UInt8], in item: KeyringItem, replacing expected: [UInt8]?,
    within limits: CallLimits
  ) throws(KeyFailure) -> Bool {
    if let failure { throw failure }
    let before = state.withLock { state in
      defer { state.beforeStoring = nil }
      return state.beforeStoring
    }
    before?()
    let old = self[item]
    let read = old.map { ItemEncoding.read($0.secret) }
    guard read?.text ?? [] == expected ?? [] else { return false }
    let encoding = read.map { $0.text.isEmpty ? item.encoding : $0.encoding } ?? item.encoding
    self[item] = Stored(
      secret: encoding.secret(text), label: old?.label ?? item.label, modified: 4_000_000_000)
    return true
  }

  /// Returns the key of an item: the attributes to search for.
  private static func key(_ item: KeyringItem) -> [String] {
    item.searchAttributes.map { "\($0.name)=\($0.value)" }
  }
}
