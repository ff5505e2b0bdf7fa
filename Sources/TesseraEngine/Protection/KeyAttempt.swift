// SPDX-License-Identifier: MIT
// A source of keys that was tried, and why it did not serve.

/// A source of keys that was tried, and why it did not serve.
public struct KeyAttempt: Sendable, Hashable {
  /// The kinds of reasons.
  public enum Problem: String, Sendable, Hashable, CaseIterable {
    /// The client library that it takes is not installed.
    case libraryMissing = "library_missing"
    /// There is no session bus, or it does not let this program in.
    case noBus = "no_bus"
    /// Nobody on the bus keeps secrets.
    case noService = "no_service"
    /// The service has no default collection.
    case noCollection = "no_collection"
    /// It is locked; a prompt is never shown.
    case locked
    /// It did not answer in time.
    case timeout
    /// The system does not allow it.
    case blocked
    /// There is no room.
    case full
    /// A file or directory is not the user's own, or lies where it must not.
    case unsafe
    /// It was reached, and does not have the key.
    case keyMissing = "key_missing"
    /// It has another key than the store was sealed with.
    case otherKey = "other_key"
    /// The policy wants more than it gives.
    case policy
    /// It failed in another way; the reason says how.
    case failed
  }

  /// What was tried.
  public let source: KeySource
  /// Why it failed, for a program.
  public let problem: Problem
  /// Why it failed, for a developer.
  public let reason: String

  package init(source: KeySource, problem: Problem, reason: String) {
    self.source = source
    self.problem = problem
    self.reason = reason
  }
}
