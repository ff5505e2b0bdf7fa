// SPDX-License-Identifier: MIT
// The persistent state of host-driven sign-ins.

import TesseraCache
package import TesseraWire

/// The persistent state of an application's host-driven sign-ins.
package struct PendingAuthorizationStore {
  private let context: FlowContext
  private let limits: CallLimits

  package init(_ context: FlowContext, _ limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Returns the state cipher of this application; creates a key if the store has none.
  ///
  /// - Throws: The reason why the store could not record the completion, such as `storeFull`.
  package func seal() throws(TesseraError) -> StateSealer? {
    try context.cache.checkWritableForTwoStepSignIn(within: limits)
    var stored: SignInRecord?
    do throws(TesseraError) {
      stored = try record()
    } catch {
      // The next commit quarantines a damaged store.
      guard error.code == .cacheDamaged else { throw error }
    }
    if stored?.isProvisional ?? true {
      let bytes = context.dependencies.randomness.bytes(SignInRecord.keyByteCount)
      try context.cache.commitOrThrow(
        CacheChange([.signIns(.add(stored ?? SignInRecord(key: bytes)))]), within: limits)
      // Another process may have created a key first.
      stored = try record()
    }
    return stored.map(seal)
  }

  /// Decrypts a state.
  ///
  /// - Returns: `nil` if the state was modified, or if another application created it.
  /// - Throws: `signInLost` if the store does not have the key of the state.
  package func open(
    _ state: Secret, as kind: StateSealer.Kind
  ) throws(TesseraError) -> JSONObject? {
    guard let state = SealedState(state, as: kind) else { return nil }
    guard let seal = try record().map(seal), state.keyID ?? seal.keyID == seal.keyID else {
      throw TesseraError(
        .signIn, .signInLost,
        """
        The store does not have the key of this sign-in. Another store was used to begin it, or the store was damaged or \
        deleted afterwards: begin the sign-in again. If store.policy is "memory_only", complete it in the process that began it.
        """)
    }
    return seal.open(state)
  }

  private func seal(_ record: SignInRecord) -> StateSealer {
    StateSealer(key: record.sealingKey, clientID: context.configuration.clientID)
  }

  /// Runs `body` while holding the lock of a sign-in, so that no other process completes it at the same time.
  package func withLock<Value>(
    with id: String, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let lock = CredentialLock(environment: "sign-in", owner: id, homeAccountID: "")
    return try context.cache.withLock(on: lock, within: limits, body)
  }

  /// Records durably that a sign-in is completed, before any request is sent.
  ///
  /// - Throws: `signInUsed` if the sign-in was already completed.
  package func use(_ id: String, until end: Instant) throws(TesseraError) {
    guard try record()?.isCompleted(id) != true else {
      throw TesseraError(
        .signIn, .signInUsed,
        "This sign-in was already completed: start another one if the user is not signed in.")
    }
    let now = context.dependencies.time.now
    try context.cache.commitOrThrow(
      CacheChange([.signIns(.use(id: id, until: end, at: now))]), within: limits)
  }

  /// Removes the record of a completed sign-in, so that the same response can be submitted again.
  func release(_ id: String) {
    context.commitWithOwnTimeout(CacheChange([.signIns(.release(id: id))]))
  }

  /// Returns the application token that a broker expects in the next request; `nil` if none is stored.
  package func applicationToken() throws(TesseraError) -> Secret? {
    try record()?.applicationToken(of: context.configuration.clientID)
  }

  private func record() throws(TesseraError) -> SignInRecord? {
    var selection = SnapshotSelection()
    selection.keys = [SignInRecord.key]
    return try context.cache.snapshot(selection, within: limits).signIn
  }
}
