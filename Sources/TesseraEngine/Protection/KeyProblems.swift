// SPDX-License-Identifier: MIT
// Errors for unavailable keys, with advice.

extension KeyAttempt {
  /// The source and the reason, for the log and for messages.
  package var text: String { "\(source.displayName): \(reason)" }

  fileprivate var cause: TesseraError.Cause {
    TesseraError.Cause(.keySource, code: problem.rawValue, text)
  }
}

extension [KeyAttempt] {
  /// All attempts, for the log and for messages.
  package var text: String { map(\.text).joined(separator: "; ") }
}

extension KeySource {
  /// The name of the source for messages, such as "the key file".
  public var displayName: String {
    switch self {
    case .caller: "the application"
    case .secretService: "the Secret Service"
    case .kernelKeyring: "the kernel keyring"
    case .keyFile: "the key file"
    }
  }

  /// The advice for a source that does not have the key of an existing store.
  fileprivate var advice: String {
    switch self {
    case .caller: "Pass the store.key with which the store was created."
    case .secretService: "Run the application in the desktop session, and unlock the keyring."
    case .kernelKeyring:
      "The kernel keyring is cleared on reboot. In that case, move the files of the store to another directory, and sign in again."
    case .keyFile:
      "Restore the file. If it is lost, move the files of the store to another directory, and sign in again."
    }
  }
}

extension TesseraError {
  /// Returns the error for an unavailable key of an existing store.
  package static func keyUnavailable(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      "The encryption key is not available from \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for an unavailable keyring in which another application stores its cache.
  ///
  /// - Parameter signal: The file with the modification time that signals changes. It may be all that is left of the cache.
  package static func keyringUnavailable(_ attempt: KeyAttempt, signal: String) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      """
      The cache is not available from \(attempt.text). \(attempt.source.advice) Nothing was changed. The file \
      \(signal) only signals changes of the cache. If that file is empty and the keyring no longer contains the cache, \
      delete the file.
      """
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a source with a different key than the one that encrypts the store.
  package static func otherKey(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .cacheUndecryptable,
      "The store is encrypted with a different key than that of \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a policy that no available source satisfies.
  package static func encryptionUnavailable(
    _ policy: StoragePolicy, _ what: String, _ advice: String
  ) -> TesseraError {
    TesseraError(
      .fixStorage, .encryptionUnavailable,
      "\(what), but store.policy is \"\(policy.rawValue)\". \(advice)")
  }
}
