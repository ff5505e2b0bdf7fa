// SPDX-License-Identifier: MIT
// A file that others have written to, and that still has the same for a call: what was made of it stays true.

package import TesseraCache
import TesseraEngine

extension MSALFileStore {
  /// What belongs to a person, or to nobody, may stay the same while others write.
  package func isRenewable(_ version: StoreVersion) -> Bool { UnifiedSearch(version) != nil }

  /// The version of the file as it is now, if what a call found in an older one is there unchanged.
  ///
  /// Of a file that has only just been written, it is the older one: the next write may leave it the same stamp.
  ///
  /// The file is looked at once: whoever has to wait for it needs a snapshot anyhow.
  package func renewed(_ version: StoreVersion) -> StoreVersion? {
    let limits = CallLimits(timeoutMilliseconds: 0, time: time)
    // What an item has does not show in the file.
    guard let search = UnifiedSearch(version), let place = try? foundPlace(limits),
      place.place.item == nil, !place.isRemote, (try? checkPolicy(place)) != nil,
      let known = try? current(place.file, limits)
    else { return nil }
    let now = known.version(search)
    guard now.part == version.part, now.commits == version.commits else { return nil }
    return known.isSettled ? now : version
  }
}

extension MSALFileMemory.Known {
  /// The state of the file, with the number of what a search finds in it.
  func version(_ search: UnifiedSearch?) -> StoreVersion {
    stamp.version(search, fingerprint: search.flatMap(cache.fingerprint))
  }
}

extension UnifiedSearch {
  /// What a version was made for; nil if it is of the whole file.
  fileprivate init?(_ version: StoreVersion) {
    guard version.part != 0 else { return nil }
    self.init(
      owner: UInt64(UInt(bitPattern: version.part)),
      scopes: UInt64(UInt(bitPattern: version.otherPart)))
  }
}
