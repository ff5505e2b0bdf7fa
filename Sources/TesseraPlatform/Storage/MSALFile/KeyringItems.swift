// SPDX-License-Identifier: MIT
// Items of the Secret Service read and written as libsecret does it, but without waiting for a person.

import TesseraEngine

/// The items in which other libraries keep their caches.
///
/// No prompt is shown, no program is started, and a service that does not answer is given up within three seconds or the
/// limits of the call. What is found first is taken, as libsecret's lookup takes it.
struct KeyringItems: Keyring {
  private let service: SecretService
  private let time: any TimeSource
  private let silent: SilentSources

  /// The items of this session.
  init(_ service: SecretService = SecretService(), time: any TimeSource) {
    self.service = service
    self.time = time
    silent = SilentSources(time)
  }

  func found(
    _ item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> KeyringContents? {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      // Somebody may replace it between the search and the look.
      for _ in 0..<2 {
        guard let path = try path(of: item, in: session) else { return nil }
        let contents = try ifThere { () throws(KeyFailure) in
          let text = try session.withSecret(at: path) { ItemEncoding.read(Array($0)).text }
          return KeyringContents(text: text, modified: try session.modified(of: path))
        }
        if let contents { return contents }
      }
      return nil
    }
  }

  func look(for item: KeyringItem, within limits: CallLimits) throws(KeyFailure) {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      _ = try path(of: item, in: session)
    }
  }

  func modified(
    of item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> UInt64? {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      guard let path = try path(of: item, in: session) else { return nil }
      return try ifThere { () throws(KeyFailure) in try session.modified(of: path) }
    }
  }

  func store(
    _ text: [UInt8], in item: KeyringItem, replacing expected: [UInt8]?, within limits: CallLimits
  ) throws(KeyFailure) -> Bool {
    try asked(KeyLimits(limits, time)) { session throws(KeyFailure) in
      if let path = try path(of: item, in: session),
        let old = try ifThere({ () throws(KeyFailure) in
          try session.withSecret(at: path) { ItemEncoding.read(Array($0)) }
        })
      {
        guard old.text == expected ?? [] else { return false }
        // What is empty is written as its owner does it.
        let encoding = old.text.isEmpty ? item.encoding : old.encoding
        let stored = try ifThere { () throws(KeyFailure) in
          try encoding.secret(text).withBytes { bytes throws(KeyFailure) in
            try session.replace(path, with: bytes)
          }
          return true
        }
        return stored ?? false
      }
      guard expected == nil else { return false }
      try item.encoding.secret(text).withBytes { bytes throws(KeyFailure) in
        try session.store(bytes, label: item.label, attributes: item.stored, replaces: true)
      }
      return true
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

  /// What is done with an object; nil if it was removed a moment ago.
  private func ifThere<Value>(
    _ body: () throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value? {
    do throws(KeyFailure) {
      return try body()
    } catch {
      if case .refused(.noCollection, _) = error { return nil }
      throw error
    }
  }

  /// Asks the keyring, unless it has just let the time pass.
  private func asked<Value>(
    _ limits: KeyLimits, _ body: (SecretSession) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    try silent.asking(.secretService) { () throws(KeyFailure) in
      try service.session(within: limits, body)
    }
  }
}

extension [UInt8] {
  /// `withUnsafeBytes`, for a body that throws why a keyring did not serve.
  fileprivate func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let result: Result<Value, KeyFailure> = withUnsafeBytes { bytes in
      do throws(KeyFailure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
