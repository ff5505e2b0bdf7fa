// SPDX-License-Identifier: MIT
// The version of the store shards that a snapshot was read from.

/// A version of one or two shards of a store.
///
/// It is current until a process commits a change to one of them.
package struct StoreVersion: Sendable, Hashable {
  /// The identity of the store, which changes if the store is deleted, replaced or restored.
  package let identity: UInt64
  /// The number of the shard.
  ///
  /// A shard has the records of some accounts, or all records.
  package let shard: Int
  /// The change counter of the shard.
  ///
  /// Its value changes with every commit and is never reused.
  package let commits: UInt64
  /// The number of the second shard, which is the same as the first in a store with a single shard.
  package let otherShard: Int
  /// The change counter of the second shard.
  package let otherCommits: UInt64

  /// Creates a version of one shard.
  package init(identity: UInt64, shard: Int = 0, commits: UInt64) {
    self.init(
      identity: identity, shard: shard, commits: commits, otherShard: shard, otherCommits: commits)
  }

  /// Creates a version of two shards.
  package init(
    identity: UInt64, shard: Int, commits: UInt64, otherShard: Int, otherCommits: UInt64
  ) {
    self.identity = identity
    self.shard = shard
    self.commits = commits
    self.otherShard = otherShard
    self.otherCommits = otherCommits
  }
}
