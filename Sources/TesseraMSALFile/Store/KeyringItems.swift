// SPDX-License-Identifier: MIT
// Access to items of the Secret Service, compatible with libsecret, without prompts.

import TesseraEngine
import TesseraPlatform

/// The items of the Secret Service in which other libraries store their caches.
///
/// No prompt is shown and no service is activated. A service that does not respond is abandoned after three seconds, or at the
/// limits of the call. The first match of a search is used, as in libsecret.
struct KeyringItems: Keyring {
  private let service: SecretService
  private let time: any TimeSource
  private let backoff: KeySourceBackoff

  /// Creates access to the items of this session.
  init(_ service: SecretService = SecretService(), time: any TimeSource) {
    self.service = service
    self.time = time
    backoff = KeySourceBackoff(time)
  }

  func content(
    of item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> KeyringItemContent? {
    try withSession(KeyLimits(limits, time)) { session throws(KeyFailure) in
      // Another process may replace the item between the search and the read.
      for _ in 0..<2 {
        guard let path = try path(of: item, in: session) else { return nil }
        let contents = try ifExists { () throws(KeyFailure) in
          let text = try session.withSecret(at: path) { ItemEncoding.read(Array($0)).text }
          return KeyringItemContent(text: text, modified: try session.modified(of: path))
        }
        if let contents { return contents }
      }
      return nil
    }
  }

  func checkAvailability(for item: KeyringItem, within limits: CallLimits) throws(KeyFailure) {
    try withSession(KeyLimits(limits, time)) { session throws(KeyFailure) in
      _ = try path(of: item, in: session)
    }
  }

  func modified(
    of item: KeyringItem, within limits: CallLimits
  ) throws(KeyFailure) -> UInt64? {
    try withSession(KeyLimits(limits, time)) { session throws(KeyFailure) in
      guard let path = try path(of: item, in: session) else { return nil }
      return try ifExists { () throws(KeyFailure) in try session.modified(of: path) }
    }
  }

  func store(
    _ text: [UInt8], in item: KeyringItem, replacing expected: [UInt8]?, within limits: CallLimits
  ) throws(KeyFailure) -> Bool {
    try withSession(KeyLimits(limits, time)) { session throws(KeyFailure) in
      if let path = try path(of: item, in: session),
        let old = try ifExists({ () throws(KeyFailure) in
          try session.withSecret(at: path) { ItemEncoding.read(Array($0)) }
        })
      {
        guard old.text == expected ?? [] else { return false }
        // An empty item is written in the encoding of its owner.
        let encoding = old.text.isEmpty ? item.encoding : old.encoding
        let isReplaced = try ifExists { () throws(KeyFailure) in
          try encoding.secret(text).withBytes { bytes throws(KeyFailure) in
            try session.replace(path, with: bytes)
          }
          return true
        }
        return isReplaced ?? false
      }
      guard expected == nil else { return false }
      try item.encoding.secret(text).withBytes { bytes throws(KeyFailure) in
        try session.store(
          bytes, label: item.label, attributes: item.storedAttributes, replaces: true)
      }
      return true
    }
  }
}

extension KeyringItems {
  /// Returns the path of the item; nil if it does not exist.
  ///
  /// - Throws: `locked` if it is in a locked keyring, or might be.
  private func path(
    of item: KeyringItem, in session: SecretSession
  ) throws(KeyFailure) -> String? {
    let found = try session.items(with: item.searchAttributes)
    if let path = found.unlocked.first { return path }
    guard found.locked.isEmpty else { throw SecretSession.locked }
    // A service may hide the items of a locked keyring. Do not report such an item as missing.
    _ = try session.unlockedCollection()
    return nil
  }

  /// Runs a function on an object; returns nil if the object no longer exists.
  private func ifExists<Value>(
    _ body: () throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value? {
    do throws(KeyFailure) {
      return try body()
    } catch {
      if case .refused(.noCollection, _) = error { return nil }
      throw error
    }
  }

  /// Runs a function in a session with the keyring, unless the keyring timed out recently.
  private func withSession<Value>(
    _ limits: KeyLimits, _ body: (SecretSession) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    try backoff.withBackoff(.secretService) { () throws(KeyFailure) in
      try service.session(within: limits, body)
    }
  }
}

extension [UInt8] {
  /// Calls `withUnsafeBytes` with a body that throws `KeyFailure`.
  fileprivate func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let result: Result<Value, KeyFailure> = withUnsafeBytes { bytes in
      do throws(KeyFailure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
