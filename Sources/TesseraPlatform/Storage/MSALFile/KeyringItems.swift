// SPDX-License-Identifier: MIT
// Items of the Secret Service read and written as libsecret does it, but without waiting for a person.

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
    /// How it was written.
    let encoding: ItemEncoding
    /// When the item was last changed, in seconds since 1970.
    let modified: UInt64
  }

  private let service: SecretService
  private let time: any TimeSource

  /// The items of this session.
  init(_ service: SecretService = SecretService(), time: any TimeSource) {
    self.service = service
    self.time = time
  }

  /// What an item holds; nil if there is none in a keyring that is unlocked.
  ///
  /// - Throws: `fixStorage` with `keyUnavailable` for a keyring that is locked, not there or silent.
  func contents(
    of item: KeyringItem, within limits: CallLimits
  ) throws(TesseraError) -> Contents? {
    try asked(limits) { session throws(KeyFailure) in
      // Somebody may replace it between the search and the look.
      for _ in 0..<2 {
        guard let path = try path(of: item, in: session) else { return nil }
        if let contents = try contents(at: path, in: session) { return contents }
      }
      return nil
    }
  }

  /// Stores a text: in the item if there is one, which keeps its label and attributes, and in a new one otherwise.
  ///
  /// - Parameter encoding: how the item is written that was read before.
  /// - Throws: as ``contents(of:within:)``.
  func store(
    _ text: [UInt8], as encoding: ItemEncoding, in item: KeyringItem, within limits: CallLimits
  ) throws(TesseraError) {
    let secret = encoding.secret(text)
    try asked(limits) { session throws(KeyFailure) in
      if let path = try path(of: item, in: session) {
        do throws(KeyFailure) {
          return try secret.withKeyBytes { bytes throws(KeyFailure) in
            try session.replace(path, with: bytes)
          }
        } catch  where error.isAbsence {
          // It was removed a moment ago: a new one is made.
        }
      }
      try secret.withKeyBytes { bytes throws(KeyFailure) in
        try session.store(
          bytes, label: item.label, attributes: item.stored, in: item.collection.rawValue,
          replaces: true)
      }
    }
  }

  /// Throws unless a new item could be stored now.
  func look(for item: KeyringItem, within limits: CallLimits) throws(TesseraError) {
    try asked(limits) { session throws(KeyFailure) in
      _ = try session.unlockedCollection(item.collection.rawValue)
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
    _ = try session.unlockedCollection(item.collection.rawValue)
    return nil
  }

  /// What lies at a path; nil if it was removed.
  private func contents(
    at path: String, in session: SecretSession
  ) throws(KeyFailure) -> Contents? {
    do throws(KeyFailure) {
      let (text, encoding) = try session.withSecret(at: path) { ItemEncoding.read(Array($0)) }
      return Contents(text: text, encoding: encoding, modified: try session.modified(of: path))
    } catch  where error.isAbsence {
      return nil
    }
  }

  private func asked<Value>(
    _ limits: CallLimits, _ body: (SecretSession) throws(KeyFailure) -> Value
  ) throws(TesseraError) -> Value {
    do throws(KeyFailure) {
      return try service.session(within: KeyLimits(limits, time), body)
    } catch {
      switch error {
      case .ended(let error): throw error
      case .refused(let problem, let reason):
        throw .keyringUnavailable(
          KeyAttempt(source: .secretService, problem: problem, reason: reason))
      }
    }
  }
}

extension KeyFailure {
  /// Whether it says that an object is not there any more.
  fileprivate var isAbsence: Bool {
    if case .refused(.noCollection, _) = self { true } else { false }
  }
}

extension [UInt8] {
  /// `withUnsafeBytes`, for a body that throws why a source did not serve.
  fileprivate func withKeyBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let result: Result<Value, KeyFailure> = withUnsafeBytes { bytes in
      do throws(KeyFailure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
