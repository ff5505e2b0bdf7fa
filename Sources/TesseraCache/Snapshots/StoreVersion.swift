// SPDX-License-Identifier: MIT
// Which state of which parts of a store a snapshot shows.

/// A state of one or two parts of a store: as long as it is current, nobody has committed to them.
package struct StoreVersion: Sendable, Hashable {
  /// The store itself; another one after it was deleted, replaced or restored.
  package let identity: UInt64
  /// A part, by a number of the store's own: what belongs to some people, or everything.
  package let part: Int
  /// What changes with every commit to that part, and never comes back.
  package let commits: UInt64
  /// The other part; the same one where one part holds all.
  package let otherPart: Int
  /// The same for the other part.
  package let otherCommits: UInt64

  /// A state of one part.
  package init(identity: UInt64, part: Int = 0, commits: UInt64) {
    self.init(
      identity: identity, part: part, commits: commits, otherPart: part, otherCommits: commits)
  }

  /// A state of two parts.
  package init(
    identity: UInt64, part: Int, commits: UInt64, otherPart: Int, otherCommits: UInt64
  ) {
    self.identity = identity
    self.part = part
    self.commits = commits
    self.otherPart = otherPart
    self.otherCommits = otherCommits
  }
}
