// SPDX-License-Identifier: MIT
// How the SQLite store tells that a commit has changed nothing for somebody: it looks at the rows, and opens none.

package import TesseraCache
package import TesseraEngine

extension SQLiteStore {
  package func version(ifStill mark: SnapshotMark, within limits: CallLimits) -> StoreVersion? {
    guard let state = state.borrowed({ $0 }),
      let location = try? StoreLocation(group: group, directory: directory)
    else { return nil }
    let before = versions(mark, state)
    guard let before else { return nil }
    let digest = try? withConnection(.reading, location, limits) {
      connection, now throws(TesseraError) -> SnapshotMark.Digest? in
      guard now === state else { return nil }
      return try? connection.transaction("BEGIN") { () throws(SQLiteFailure) in
        guard try SQLiteLayout.follow(connection) != .none else { return nil }
        return try SQLiteTable.digest(connection, mark)
      }
    }
    // A commit between the two looks may or may not be in what was read.
    guard digest == mark.digest, versions(mark, state) == before else { return nil }
    return before
  }

  /// The mark of a snapshot that was made between two looks.
  func mark(
    _ selection: SnapshotSelection, common: StoreVersion?, _ digest: RowDigest
  ) -> SnapshotMark? {
    guard let common, let owner = selection.owner else { return nil }
    return SnapshotMark(
      owner: RecordKey.number(of: owner),
      scope: SQLiteTable.scopeName(owner, selection.scope), common: common, digest: digest.value)
  }

  /// The state of the person's parts, if what belongs to all people is as it was.
  private func versions(_ mark: SnapshotMark, _ state: SQLiteState) -> StoreVersion? {
    state.words.borrowed { words in
      guard let words,
        let version = words.version(of: SeenParts(owner: mark.owner, scope: mark.scope)),
        words.isCurrent(mark.common)
      else { return nil }
      return version
    }
  }
}

extension SnapshotSelection {
  /// Whether all it needs is one person's, or known of applications.
  var hasMark: Bool {
    owner != nil && !everyAccount && keys.allSatisfy { $0.type == AppMetadataRecord.typeNumber }
  }
}

/// What the freshness words say of a selection.
struct SelectionVersions: Equatable {
  /// The state of the parts it sees; nil if that can't be told.
  var own: StoreVersion?
  /// The state of what belongs to all people, for a selection that has a mark.
  var common: StoreVersion?
}
