// SPDX-License-Identifier: MIT
// Items of the Secret Service read as libsecret reads them, but without waiting for a person.

import TesseraEngine

/// The items in which other libraries keep their caches.
///
/// No prompt is shown, no program is started, and a service that does not answer is given up within three seconds or the
/// limits of the call. What is found first is taken, as libsecret's lookup takes it.
struct KeyringItems: Sendable {
  /// What an item holds.
  struct Contents: Sendable {
    /// The text of the cache.
    let text: [UInt8]
    /// When the item was last changed, in seconds since 1970.
    let modified: UInt64
  }

  /// How long a keyring that did not answer is left alone, in nanoseconds.
  private static let silence: UInt64 = 60_000_000_000

  private let service: SecretService
  private let time: any TimeSource
  private let silentUntil = SilentUntil()

  /// The items of this session.
  init(_ service: SecretService = SecretService(), time: any TimeSource) {
    self.service = service
    self.time = time
  }

  /// What an item holds; nil if there is none in a keyring that is unlocked.
  func found(
    _ item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> Contents? {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      // Somebody may replace it between the search and the look.
      for _ in 0..<2 {
        guard let path = try path(of: item, in: session) else { return nil }
        if let contents = try contents(at: path, in: session) { return contents }
      }
      return nil
    }
  }

  /// Throws unless a new item could be stored now.
  func look(within limits: CallLimits) throws(KeyFailure) {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in try session.look() }
  }

  /// When an item was last changed, in seconds since 1970; nil if there is none in a keyring that is unlocked.
  func modified(
    of item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> UInt64? {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      guard let path = try path(of: item, in: session) else { return nil }
      do throws(KeyFailure) {
        return try session.modified(of: path)
      } catch {
        guard error.isAbsence else { throw error }
        return nil
      }
    }
  }
}

extension KeyringItems {
  /// The path of the item; nil if there is none.
  ///
  /// - Throws: `locked` when it lies in a locked keyring, or might.
  private func path(
    of item: KeyringItem, in session: SecretSession
  ) throws(KeyFailure) -> String? {
    let found = try session.items(with: item.searched)
    if let path = found.unlocked.first { return path }
    guard found.locked.isEmpty else { throw SecretSession.locked }
    // A service that hides what it has while it is locked has not lost it.
    _ = try session.unlockedCollection()
    return nil
  }

  /// What lies at a path; nil if it was removed.
  private func contents(
    at path: String, in session: SecretSession
  ) throws(KeyFailure) -> Contents? {
    do throws(KeyFailure) {
      let text = try session.withSecret(at: path) { KeyringItem.text(in: Array($0)) }
      return Contents(text: text, modified: try session.modified(of: path))
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
  }

  /// Asks the keyring, unless it has just let the time pass.
  private func asked<Value>(
    _ limits: KeyLimits, _ body: (SecretSession) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let now = time.monotonicNanoseconds
    guard silentUntil.state.withLock({ $0 }) <= now else {
      throw .refused(.timeout, "it did not answer a moment ago, and is left alone for a minute")
    }
    do throws(KeyFailure) {
      return try service.session(within: limits, body)
    } catch {
      if case .refused(.timeout, _) = error {
        let end = time.monotonicNanoseconds.addingReportingOverflow(KeyringItems.silence)
        silentUntil.state.withLock { $0 = end.partialValue }
      }
      throw error
    }
  }
}

/// Until when a keyring is not asked, by the monotonic clock; the same for all copies.
private final class SilentUntil: Sendable {
  let state = BriefLock(UInt64(0))
}

extension KeyFailure {
  /// Whether it says that an object is not there any more.
  fileprivate var isAbsence: Bool {
    if case .refused(.noCollection, _) = self { true } else { false }
  }
}
