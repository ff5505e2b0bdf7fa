// SPDX-License-Identifier: MIT
// By what a store recognises, without opening them, that the records of a snapshot are still the same.

/// What a store needs to tell that nothing has changed for a snapshot, after somebody committed to its part.
package struct SnapshotMark: Sendable, Hashable {
  /// The person, hashed.
  package let owner: Int64
  /// The scope of the access tokens that were looked for, hashed.
  package let scope: Int64
  /// The state of what belongs to all people, such as what is known of applications.
  package let common: StoreVersion
  /// A sum over the person's records as they are stored.
  package let digest: Digest

  /// Sixteen bytes of a SHA-256.
  package typealias Digest = SIMD2<UInt64>

  package init(owner: Int64, scope: Int64, common: StoreVersion, digest: Digest) {
    self.owner = owner
    self.scope = scope
    self.common = common
    self.digest = digest
  }
}
