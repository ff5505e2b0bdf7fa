// SPDX-License-Identifier: MIT
// Which file a store keeps: a path that was given, or that of a known cache, unless it lies in a keyring.

import TesseraEngine

/// Finds the file of a store.
///
/// Where the owner of a known cache keeps it in an item of the keyring, its file is empty, or holds an old cache: whoever
/// reads it finds no one, and whoever writes it puts tokens in clear beside those that are kept better.
struct MSALFileFinder: Sendable {
  /// What the application wants.
  let cache: MSALCache
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
    _ cache: MSALCache, _ items: KeyringItems, time: any TimeSource, look: Look? = nil,
    folders: @escaping @Sendable () throws(TesseraError) -> CacheFolders = {
      () throws(TesseraError) in try CacheFolders()
    }
  ) {
    self.cache = cache
    if let look {
      self.look = look
    } else {
      let finder = PlaceFinder(items)
      self.look = { places, limits throws(TesseraError) in
        try finder.find(places, within: limits)
      }
    }
    absence = AbsentPlace(time)
    self.folders = folders
  }

  /// The path of the file, and whether it stays the one in use.
  ///
  /// - Throws: `fixStorage` when the cache lies in an item of the keyring, or when the environment does not say where it is.
  func find(within limits: CallLimits) throws(TesseraError) -> (path: String, isThere: Bool) {
    switch cache {
    case .file(let path): return (path, true)
    case .known(let known):
      let places = known.places(try folders())
      let found = try absence.found(places) { () throws(TesseraError) in
        try look(places, limits)
      }
      guard case .file(let path) = found.place else { throw inKeyring(found.place.signal) }
      return (path, found.isThere)
    }
  }

  /// Whether the file that was found is still the one in use, if it is as it was when it was read.
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

  /// The cache lies where Tessera does not write.
  func inKeyring(_ path: String) -> TesseraError {
    var name = "It"
    if case .known(let known) = cache { name = "\(known.rawValue), the cache of \(known.owner)," }
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(name) lies in the keyring, and \(path) only says when it changed. Tessera opens plain files: nothing was read or \
      written. Choose another msal_cache; an empty file that no keyring belongs to can be removed.
      """)
  }
}
