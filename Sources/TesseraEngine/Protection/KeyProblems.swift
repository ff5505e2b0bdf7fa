// SPDX-License-Identifier: MIT
// What is said about keys that cannot be had, with advice.

extension KeyAttempt {
  /// The source and the reason, for the log and for messages.
  package var text: String { "\(source.words): \(reason)" }

  fileprivate var cause: ErrorCause { ErrorCause(.keySource, code: problem.rawValue, text) }
}

extension [KeyAttempt] {
  /// All of them, for the log and for messages.
  package var text: String { map(\.text).joined(separator: "; ") }
}

extension KeySource {
  /// How a person calls it.
  package var words: String {
    switch self {
    case .caller: "the program"
    case .secretService: "the Secret Service"
    case .kernelKeyring: "the kernel's keyring"
    case .keyFile: "a key file"
    }
  }

  /// What to do when it does not have the key of a store that exists.
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
  /// The key of a store that exists cannot be had.
  package static func keyUnavailable(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      "The store's key is kept by \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// The keyring in which another program keeps its cache cannot be used.
  ///
  /// - Parameter signal: the file that is touched for the item, which may be all that is left of it.
  package static func keyringUnavailable(_ attempt: KeyAttempt, signal: String) -> TesseraError {
    TesseraError(
      .fixStorage, .keyUnavailable,
      """
      The cache is kept by \(attempt.text). \(attempt.source.advice) Nothing was changed. \(signal) only says when the \
      cache changed: if it is empty and its owner has nothing in a keyring any more, it can be removed.
      """
    ).caused(by: attempt.cause)
  }

  /// The source has another key than the one that the store was sealed with.
  package static func otherKey(_ attempt: KeyAttempt) -> TesseraError {
    TesseraError(
      .fixStorage, .cacheUndecryptable,
      "The store cannot be opened with the key of \(attempt.text). \(attempt.source.advice) Nothing was changed."
    ).caused(by: attempt.cause)
  }

  /// The policy wants more than there is.
  package static func encryptionUnavailable(
    _ policy: StoragePolicy, _ what: String, _ advice: String
  ) -> TesseraError {
    TesseraError(
      .fixStorage, .encryptionUnavailable,
      "\(what), and storage_policy is \(policy.rawValue). \(advice)")
  }
}
