// SPDX-License-Identifier: MIT
// Errors for unavailable keys, with advice.

extension KeyAttempt {
  /// The source and the reason, for the log and for messages.
  package var text: String { "\(source.displayName): \(reason)" }

  fileprivate var cause: ErrorCause { ErrorCause(.keySource, code: problem.rawValue, text) }
}

extension [KeyAttempt] {
  /// All attempts, for the log and for messages.
  package var text: String { map(\.text).joined(separator: "; ") }
}

extension KeySource {
  /// The display name of the source.
  package var displayName: String {
    switch self {
    case .caller: "the program"
    case .secretService: "the Secret Service"
    case .kernelKeyring: "the kernel's keyring"
    case .keyFile: "a key file"
    }
  }

  /// The advice for a source that does not have the key of an existing store.
  fileprivate var advice: String {
    switch self {
    case .caller: "Give the store_key that the store was made with."
    case .secretService: "Run the program in the desktop session, with the keyring unlocked."
    case .kernelKeyring:
      "It forgets when the machine starts anew; then move the store's files away and sign in again."
    case .keyFile:
      "Put the file back; if it is lost, move the store's files away and sign in again."
    }
  }
}

extension TesseraError {
  /// Returns the error for an unavailable key of an existing store.
  package static func keyUnavailable(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      "The store's key is kept by \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for an unavailable keyring in which another application stores its cache.
  ///
  /// - Parameter signal: The file with the modification time that signals changes. It may be all that is left of the cache.
  package static func keyringUnavailable(_ attempt: KeyAttempt, signal: String) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      """
      The cache is kept by \(attempt.text). \(attempt.source.advice) Nothing was changed. \(signal) only says when the \
      cache changed: if it is empty and its owner has nothing in a keyring any more, it can be removed.
      """
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a source with a different key than the one that encrypts the store.
  package static func otherKey(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .cacheUndecryptable,
      "The store cannot be opened with the key of \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// Returns the error for a policy that no available source satisfies.
  package static func encryptionUnavailable(
    _ policy: StoragePolicy, _ what: String, _ advice: String
  ) -> TesseraError {
    TesseraError(
      .fixStorage, .encryptionUnavailable,
      "\(what), and storage_policy is \(policy.rawValue). \(advice)")
  }
}
