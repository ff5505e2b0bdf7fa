// SPDX-License-Identifier: MIT
// A failed attempt to use a key source.

/// A failed attempt to use a key source.
public struct KeyAttempt: Sendable, Hashable {
  /// The kind of problem.
  public enum Problem: String, Sendable, Hashable, CaseIterable {
    /// The required client library is not installed.
    case libraryMissing = "library_missing"
    /// There is no session bus, or it denies access to this process.
    case noBus = "no_bus"
    /// There is no secret service on the bus.
    case noService = "no_service"
    /// The service has no default collection.
    case noCollection = "no_collection"
    /// The collection is locked.
    ///
    /// Tessera never shows a prompt.
    case locked
    /// The service did not respond in time.
    case timeout
    /// The operating system denies access.
    case blocked
    /// The source is full.
    case full
    /// A file or directory has an unsafe owner, mode or location.
    case unsafe
    /// The source is available, but does not have the key.
    case keyMissing = "key_missing"
    /// The source has a different key than the one that encrypts the store.
    case otherKey = "other_key"
    /// The source does not satisfy the storage policy.
    case policy
    /// Any other error; see the reason.
    case failed
  }

  /// The key source.
  public let source: KeySource
  /// The kind of problem.
  public let problem: Problem
  /// A description of the problem for developers.
  public let reason: String

  /// Creates a failed attempt.
  public init(source: KeySource, problem: Problem, reason: String) {
    self.source = source
    self.problem = problem
    self.reason = reason
  }
}
