// SPDX-License-Identifier: MIT
// Which state of a store a snapshot shows.

/// A state of a store: two equal versions mean that nobody committed in between.
package struct StoreVersion: Sendable, Hashable {
  /// The store itself; another one after it was deleted, replaced or restored.
  package let identity: UInt64
  /// The commits so far.
  package let commits: UInt64

  package init(identity: UInt64, commits: UInt64) {
    self.identity = identity
    self.commits = commits
  }
}
