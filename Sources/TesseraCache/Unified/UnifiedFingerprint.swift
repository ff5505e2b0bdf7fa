// SPDX-License-Identifier: MIT
// What a person's calls for tokens can find in a document, as a number: it stays the same when others are written to.

import TesseraWire

/// What a search depends on: whose entries it looks at, and which of the access tokens.
package struct UnifiedSearch: Sendable, Hashable {
  /// Whose entries, as they are marked.
  package let owner: UInt64
  /// A scope that the access tokens must have, as bits; none for all of them.
  package let scopes: UInt64

  /// A search with its parts, as they were told before.
  package init(owner: UInt64, scopes: UInt64) {
    self.owner = owner
    self.scopes = scopes
  }

  /// What a selection depends on; nil for one that takes more than a person's entries and what is known of applications.
  package init?(_ selection: SnapshotSelection) {
    guard let owner = selection.owner, !selection.everyAccount, !selection.everything,
      selection.keys.allSatisfy({ $0.type == AppMetadataRecord.typeNumber })
    else { return nil }
    self.owner = ScanPosition(owner).number
    scopes = selection.scope.map { UnifiedScopes($0).bits } ?? 0
  }

  /// Whether an entry may be found.
  fileprivate func meets(_ section: UnifiedSection, _ entry: UnifiedList.Entry) -> Bool {
    guard entry.owner == owner || entry.owner == ScanPosition.unknown else {
      // What is known of applications is nobody's.
      return entry.owner == ScanPosition().number && (section == .appMetadata || section == .own)
    }
    return section != .accessToken || entry.scopes.canHave(UnifiedScopes(bits: scopes))
  }
}

extension UnifiedCache {
  /// All that a search can find, as a number: two documents with one number have the same entries for it.
  ///
  /// Nil for a document with changes.
  package func fingerprint(of search: UnifiedSearch) -> UInt64? {
    var fingerprint: UInt64 = 0
    let isWhole = document.bytes.withUnsafeBytes { bytes in
      for section in UnifiedSection.known {
        let list = document[section]
        guard !list.isChanged else { return false }
        for entry in list.entries where search.meets(section, entry) {
          guard entry.place.upperBound <= bytes.count else { return false }
          fingerprint = WordHash.of(
            UnsafeRawBufferPointer(rebasing: bytes[entry.place]),
            after: fingerprint ^ UInt64(section.number))
        }
      }
      return true
    }
    return isWhole ? fingerprint : nil
  }
}
