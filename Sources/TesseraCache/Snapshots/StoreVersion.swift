// SPDX-License-Identifier: MIT
// Which state of which part of a store a snapshot shows.

/// A state of a part of a store: as long as it is current, nobody has committed to that part.
package struct StoreVersion: Sendable, Hashable {
  /// The store itself; another one after it was deleted, replaced or restored.
  package let identity: UInt64
  /// The part, by a number of the store's own: what belongs to some people, or everything.
  package let part: Int
  /// What changes with every commit to that part, and never comes back.
  package let commits: UInt64

  package init(identity: UInt64, part: Int = 0, commits: UInt64) {
    self.identity = identity
    self.part = part
    self.commits = commits
  }
}
