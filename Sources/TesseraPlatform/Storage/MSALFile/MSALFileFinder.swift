// SPDX-License-Identifier: MIT
// Where the cache of a store lies: at a path that was given, or where the owner of a known cache keeps it.

import TesseraEngine

/// Finds the cache of a store, in a file or in an item of the keyring.
///
/// Where the owner of a known cache keeps it in an item, its file is empty, or holds an old cache: whoever reads that finds no
/// one, and whoever writes it puts tokens in clear beside those that are kept better.
struct MSALFileFinder: Sendable {
  /// What the application wants.
  let cache: MSALCache
  /// The keyring in which it may lie.
  let keyring: any Keyring
  /// Finds the place of a known cache.
  private let look: Look
  /// What was found where there was nothing yet.
  private let absence: AbsentPlace
  /// The folders in which other programs keep their caches.
  let folders: @Sendable () throws(TesseraError) -> CacheFolders

  /// Looks which of some places is the one in use.
  typealias Look =
    @Sendable (KnownPlaces, CallLimits) throws(TesseraError) -> PlaceFinder.Found

  init(
    _ cache: MSALCache, _ keyring: any Keyring, time: any TimeSource, look: Look? = nil,
    folders: @escaping @Sendable () throws(TesseraError) -> CacheFolders = {
      () throws(TesseraError) in try CacheFolders()
    }
  ) {
    self.cache = cache
    self.keyring = keyring
    if let look {
      self.look = look
    } else {
      let finder = PlaceFinder(keyring, time)
      self.look = { places, limits throws(TesseraError) in
        try finder.find(places, within: limits)
      }
    }
    absence = AbsentPlace(time)
    self.folders = folders
  }

  /// Where the cache lies, and whether it is there: then that stays the place in use.
  ///
  /// - Throws: `fixStorage` when the environment does not say where it is; `storeBusy` when the deadline passes while
  ///   somebody writes a file that is empty.
  func find(within limits: CallLimits) throws(TesseraError) -> PlaceFinder.Found {
    switch cache {
    case .file(let path): return PlaceFinder.Found(place: .file(path), isThere: true)
    case .known(let known):
      let places = known.places(try folders())
      return try absence.found(places) { () throws(TesseraError) in try look(places, limits) }
    }
  }

  /// Whether the place that was found is still the one in use, if its file is as it was when the cache was read.
  ///
  /// Whoever writes an item touches the file, but for Azure CLI, which has another one for that.
  func isStill(_ path: String, _ stamp: CacheStamp?) -> Bool {
    switch cache {
    case .file: true
    case .known(.azureCLI): false
    case .known: stamp != nil && stamp == CacheStamp(at: path)
    }
  }

  /// Whether something that can't be read may be no more than the sign of an item.
  func isSign(_ bytes: [UInt8]) -> Bool {
    switch cache {
    case .file, .known(.azureCLI): false
    case .known: bytes.count <= 1
    }
  }
}
