// SPDX-License-Identifier: MIT
// Revalidation of results after other processes have written the file.

package import TesseraCache
import TesseraEngine
import TesseraPlatform

extension MSALFileStore {
  /// Results for an account may stay valid while other accounts change.
  package func mayRevalidate(_ version: StoreVersion) -> Bool { UnifiedSearch(version) != nil }

  /// Returns the current version of the file if the records that a call used are unchanged; nil if the result is stale.
  ///
  /// Returns the older version for a file that was just written, because the next write may not change its stamp.
  ///
  /// The file is read once without waiting. If it is being written, the caller needs a new snapshot anyway.
  package func revalidated(_ version: StoreVersion) -> StoreVersion? {
    let limits = CallLimits(timeoutMilliseconds: 0, time: time)
    // The stamp of a signal file does not reveal changes of an item.
    guard let search = UnifiedSearch(version), let location = try? currentLocation(limits),
      location.documentLocation.item == nil, !location.isRemote,
      (try? checkPolicy(location)) != nil,
      let known = try? current(location.file, limits)
    else { return nil }
    let now = known.version(search)
    guard now.shard == version.shard, now.commits == version.commits else { return nil }
    return known.isSettled ? now : version
  }
}

extension MSALFileState.ParsedDocument {
  /// Returns the state of the file, with a fingerprint of the records that a search matches.
  func version(_ search: UnifiedSearch?) -> StoreVersion {
    stamp.version(search, fingerprint: search.flatMap(cache.fingerprint))
  }
}

extension UnifiedSearch {
  /// Decodes the search of a version; nil if the version applies to the whole file.
  fileprivate init?(_ version: StoreVersion) {
    guard version.shard != 0 else { return nil }
    self.init(
      owner: UInt64(UInt(bitPattern: version.shard)),
      scopes: UInt64(UInt(bitPattern: version.otherShard)))
  }
}
