// SPDX-License-Identifier: MIT
// A hash of the entries that the token requests of one account depend on. Changes of other accounts do not affect it.

package import TesseraCache
import TesseraWire

/// The entries that a search depends on: an account, and optionally a scope of its access tokens.
package struct UnifiedSearch: Sendable, Hashable {
  /// The owner hash of the account.
  package let owner: UInt64
  /// The bits of a scope that the access tokens must have, or 0 for all access tokens.
  package let scopes: UInt64

  /// Creates a search from stored values.
  package init(owner: UInt64, scopes: UInt64) {
    self.owner = owner
    self.scopes = scopes
  }

  /// Creates the search for a selection.
  ///
  /// Returns `nil` if the selection includes more than the entries of one account and app metadata.
  package init?(_ selection: SnapshotSelection) {
    guard let owner = selection.owner, !selection.allAccounts, !selection.everything,
      selection.keys.allSatisfy({ $0.type == AppMetadataRecord.typeNumber })
    else { return nil }
    self.owner = AccountHash(owner).number
    scopes = selection.scope.map { UnifiedScopes(TenantScope($0).scope).bits } ?? 0
  }

  /// Whether the search may find an entry.
  fileprivate func matches(_ section: UnifiedSection, _ entry: UnifiedList.Entry) -> Bool {
    guard entry.owner == owner || entry.owner == AccountHash.unknown else {
      // App metadata has no owner.
      return entry.owner == AccountHash().number && (section == .appMetadata || section == .own)
    }
    return section != .accessToken || entry.scopes.mayContain(UnifiedScopes(bits: scopes))
  }
}

extension UnifiedCache {
  /// Returns a hash of all entries that a search can find.
  ///
  /// Documents with the same hash have the same entries for it.
  ///
  /// Returns `nil` for a document with changes.
  package func fingerprint(of search: UnifiedSearch) -> UInt64? {
    var fingerprint: UInt64 = 0
    let isWhole = document.bytes.withUnsafeBytes { bytes in
      for section in UnifiedSection.known {
        let list = document[section]
        guard !list.isChanged else { return false }
        for entry in list.entries where search.matches(section, entry) {
          guard entry.byteRange.upperBound <= bytes.count else { return false }
          fingerprint = WordHash.of(
            UnsafeRawBufferPointer(rebasing: bytes[entry.byteRange]),
            after: fingerprint ^ UInt64(section.number))
        }
      }
      return true
    }
    return isWhole ? fingerprint : nil
  }
}
