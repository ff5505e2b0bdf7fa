// SPDX-License-Identifier: MIT
// The search for the cache of a store: a configured path, or the location that the owner of a known cache uses.

import TesseraEngine
import TesseraPlatform

/// The search for the cache of a store, in a file or in a keyring item.
///
/// If the owner of a known cache uses an item, its file is empty or contains an outdated cache. Reading that file would miss the
/// tokens, and writing it would store tokens unencrypted.
struct MSALFileFinder: Sendable {
  /// The configured cache.
  let cache: MSALCache
  /// The keyring that may contain the cache.
  let keyring: any Keyring
  /// The function that finds the location of a known cache.
  private let search: LocationSearch
  /// The cached result of a search that found nothing.
  private let absence: AbsentCacheLocation
  /// The directories in which other applications store their caches.
  let folders: @Sendable () throws(TesseraError) -> CacheDirectories

  /// Determines which of several locations is in use.
  typealias LocationSearch =
    @Sendable (KnownCacheLocations, CallLimits) throws(TesseraError) -> LocationFinder.LocatedCache

  init(
    _ cache: MSALCache, _ keyring: any Keyring, time: any TimeSource, search: LocationSearch? = nil,
    folders: @escaping @Sendable () throws(TesseraError) -> CacheDirectories = {
      () throws(TesseraError) in try CacheDirectories()
    }
  ) {
    self.cache = cache
    self.keyring = keyring
    if let search {
      self.search = search
    } else {
      let finder = LocationFinder(keyring, time)
      self.search = { locations, limits throws(TesseraError) in
        try finder.find(locations, within: limits)
      }
    }
    absence = AbsentCacheLocation(time)
    self.folders = folders
  }

  /// Returns the location of the cache, and whether the cache exists.
  ///
  /// - Throws: `fixStorage` if the environment does not define the location; `storeBusy` if the deadline passes while another
  ///   process writes an empty file.
  func find(within limits: CallLimits) throws(TesseraError) -> LocationFinder.LocatedCache {
    switch cache {
    case .file(let path): return LocationFinder.LocatedCache(location: .file(path), exists: true)
    case .known(let known):
      let locations = known.locations(try folders())
      return try absence.locate(locations) { () throws(TesseraError) in
        try search(locations, limits)
      }
    }
  }

  /// Whether the location is still in use, if its file is unchanged since the cache was read.
  ///
  /// Writers of an item touch the file that was found. Azure CLI touches another file, so its location is always determined
  /// again.
  func isUnchanged(_ path: String, _ stamp: CacheStamp?) -> Bool {
    switch cache {
    case .file: true
    case .known(.azureCLI): false
    case .known: stamp != nil && stamp == CacheStamp(at: path)
    }
  }

  /// Whether unparsable content may be that of a signal file.
  func mayBeSignalFile(_ bytes: [UInt8]) -> Bool {
    switch cache {
    case .file, .known(.azureCLI): false
    case .known: bytes.count <= 1
    }
  }
}
