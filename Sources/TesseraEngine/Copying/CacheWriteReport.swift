// SPDX-License-Identifier: MIT
// The result of writing a document into a store.

/// The result of writing a document into a store.
public struct CacheWriteReport: Sendable, Hashable {
  /// The number of new or changed entries.
  public let stored: Int
  /// The number of removed entries.
  public let removed: Int

  /// Creates a report.
  public init(stored: Int, removed: Int) {
    self.stored = stored
    self.removed = removed
  }
}
