// SPDX-License-Identifier: MIT
// What the store knows of sign-ins that hosts drive, as their flows use it.

import TesseraCache
import TesseraWire

/// The sign-ins of an application in its store.
struct KeptSignIns {
  private let application: PublicClientApplication
  private let limits: CallLimits

  init(_ application: PublicClientApplication, _ limits: CallLimits) {
    self.application = application
    self.limits = limits
  }

  /// The seal of this application in this store; nil if there is none yet, and none is to be made.
  func seal(creating: Bool) throws(TesseraError) -> SignInSeal? {
    var key: [UInt8]?
    do throws(TesseraError) {
      key = try record()?.sealingKey
    } catch {
      // What is stored next sets a damaged store aside.
      guard creating, error.code == .cacheDamaged else { throw error }
    }
    if key == nil, creating {
      let bytes = application.surroundings.randomness.bytes(SignInRecord.keyByteCount)
      try application.cache.commitOrThrow(
        CacheChange([.signIns(.add(SignInRecord(key: bytes)))]), within: limits)
      // Another process may have been quicker.
      key = try record()?.sealingKey
    }
    return key.map { SignInSeal(key: $0, clientID: application.configuration.clientID) }
  }

  /// Does something while nobody else completes the same sign-in.
  func alone<Value>(
    with id: String, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let lock = CredentialLock(environment: "sign-in", owner: id, homeAccountID: "")
    return try application.cache.withLock(on: lock, within: limits, body)
  }

  /// Remembers, for all processes and before anything is sent, that a sign-in is completed.
  func use(_ id: String, until end: Instant) throws(TesseraError) {
    guard try record()?.hasUsed(id) != true else {
      throw TesseraError(
        .signIn, .signInUsed,
        "This sign-in was completed before: begin another one if nobody is signed in.")
    }
    let now = application.surroundings.time.now
    try application.cache.commitOrThrow(
      CacheChange([.signIns(.use(id: id, until: end, at: now))]), within: limits)
  }

  /// Forgets that a sign-in was completed: the same answer may be good in a moment.
  func release(_ id: String) {
    application.keep(CacheChange([.signIns(.release(id: id))]))
  }

  /// What a broker wants to see again with the next request.
  func applicationToken() throws(TesseraError) -> Secret? {
    try record()?.applicationToken(of: application.configuration.clientID)
  }

  private func record() throws(TesseraError) -> SignInRecord? {
    var selection = SnapshotSelection()
    selection.keys = [SignInRecord.key]
    return try application.cache.snapshot(selection, within: limits).signIn
  }
}
