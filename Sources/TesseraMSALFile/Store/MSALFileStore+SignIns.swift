// SPDX-License-Identifier: MIT
// Access to the record of pending sign-ins, which is stored outside the shared cache.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire

extension MSALFileStore {
  /// Returns a snapshot with the record of pending sign-ins.
  ///
  /// The snapshot has no version, because a version covers the cache only. Earlier releases stored the record in the cache. Such
  /// a record is provisional: it is used only while no separate record exists.
  func snapshotWithSignIn(
    _ selection: SnapshotSelection, at location: MSALFileLocation, _ limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let stored = try SignInDocument(location).read(time, within: limits)
    let signIn = try signIn(stored, at: location, limits)
    var others = selection
    others.keys.removeAll { $0 == SignInRecord.key }
    let own = signIn.map { [CacheRecord.signIn($0)] } ?? []
    // A sign-in can be completed although the cache is damaged.
    guard !others.isEmpty else { return CacheSnapshot(records: own, version: nil) }
    let snapshot = try snapshot(others, within: limits)
    let records = snapshot.records.filter { if case .signIn = $0 { false } else { true } }
    return CacheSnapshot(records: records + own, version: nil, condition: snapshot.condition)
  }

  /// Applies the steps of a change that concern pending sign-ins, under a separate lock.
  func changeSignIns(
    _ change: CacheChange, at location: MSALFileLocation, _ limits: CallLimits
  ) throws(TesseraError) {
    guard change.concernsSignIns else { return }
    let document = SignInDocument(location)
    let seen = try document.read(time, within: limits)
    // A change without effect creates neither a directory nor a lock.
    guard try bytes(of: seen, after: change, at: location, limits) != seen.bytes else { return }
    try location.file.makeDirectory()
    try location.document.checkSafety()
    let isDone = try locks.withLock(
      on: .signIns, in: try location.lockFiles(), time, within: limits
    ) { () throws(TesseraError) in
      // Another machine or container may use the same keyring, but not the same locks. Retry if it has changed the
      // item.
      for _ in 0..<10 {
        let seen = try document.read(time, within: limits)
        let new = try bytes(of: seen, after: change, at: location, limits)
        if new == seen.bytes { return true }
        if try document.write(new, replacing: seen.bytes, within: limits) { return true }
      }
      return false
    }
    guard isDone else {
      throw TesseraError(
        .retryLater, .storeBusy,
        "The pending sign-ins of \(location.path) were changed repeatedly by other programs. Try again."
      )
    }
  }

  private func bytes(
    of stored: SignInDocument.Content, after change: CacheChange, at location: MSALFileLocation,
    _ limits: CallLimits
  ) throws(TesseraError) -> [UInt8]? {
    let record = try signIn(stored, at: location, limits)
    return change.applied(to: record).map { JSONValue.object($0.members).bytes }
  }

  /// Returns the stored record, or else the one in the cache.
  private func signIn(
    _ stored: SignInDocument.Content, at location: MSALFileLocation, _ limits: CallLimits
  ) throws(TesseraError) -> SignInRecord? {
    if let record = stored.record { return record }
    do throws(TesseraError) {
      let cache = try current(location.document, limits)?.cache
      guard case .signIn(var record)? = cache?.record(at: SignInRecord.key) else { return nil }
      record.isProvisional = true
      return record
    } catch {
      // The next sign-in replaces a damaged cache.
      guard error.code == .cacheDamaged else { throw error }
      return nil
    }
  }
}
