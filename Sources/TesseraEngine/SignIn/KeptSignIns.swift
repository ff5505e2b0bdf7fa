// SPDX-License-Identifier: MIT
// The persistent state of host-driven sign-ins.

import TesseraCache
import TesseraWire

/// The persistent state of an application's host-driven sign-ins.
struct KeptSignIns {
  private let application: PublicClientApplication
  private let limits: CallLimits

  init(_ application: PublicClientApplication, _ limits: CallLimits) {
    self.application = application
    self.limits = limits
  }

  /// Returns the state cipher of this application and store; `nil` if no key exists and `creating` is false.
  func seal(creating: Bool) throws(TesseraError) -> SignInSeal? {
    var key: [UInt8]?
    do throws(TesseraError) {
      key = try record()?.sealingKey
    } catch {
      // The next commit quarantines a damaged store.
      guard creating, error.code == .cacheDamaged else { throw error }
    }
    if key == nil, creating {
      let bytes = application.surroundings.randomness.bytes(SignInRecord.keyByteCount)
      try application.cache.commitOrThrow(
        CacheChange([.signIns(.add(SignInRecord(key: bytes)))]), within: limits)
      // Another process may have created a key first.
      key = try record()?.sealingKey
    }
    return key.map { SignInSeal(key: $0, clientID: application.configuration.clientID) }
  }

  /// Runs `body` while holding the lock of a sign-in, so that no other process completes it at the same time.
  func withLock<Value>(
    with id: String, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let lock = CredentialLock(environment: "sign-in", owner: id, homeAccountID: "")
    return try application.cache.withLock(on: lock, within: limits, body)
  }

  /// Records durably that a sign-in is completed, before any request is sent.
  ///
  /// - Throws: `signInUsed` if the sign-in was already completed.
  func use(_ id: String, until end: Instant) throws(TesseraError) {
    guard try record()?.isCompleted(id) != true else {
      throw TesseraError(
        .signIn, .signInUsed,
        "This sign-in was completed before: begin another one if nobody is signed in.")
    }
    let now = application.surroundings.time.now
    try application.cache.commitOrThrow(
      CacheChange([.signIns(.use(id: id, until: end, at: now))]), within: limits)
  }

  /// Removes the record of a completed sign-in, so that the same response can be submitted again.
  func release(_ id: String) {
    application.commitWithOwnTimeout(CacheChange([.signIns(.release(id: id))]))
  }

  /// Returns the application token that a broker expects in the next request; `nil` if none is stored.
  func applicationToken() throws(TesseraError) -> Secret? {
    try record()?.applicationToken(of: application.configuration.clientID)
  }

  private func record() throws(TesseraError) -> SignInRecord? {
    var selection = SnapshotSelection()
    selection.keys = [SignInRecord.key]
    return try application.cache.snapshot(selection, within: limits).signIn
  }
}
