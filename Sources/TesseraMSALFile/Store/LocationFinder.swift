// SPDX-License-Identifier: MIT
// The search for the location of a known cache that is in use.

import CLibrary
import TesseraEngine
import TesseraPlatform

/// The search for the location of a known cache, or for the location in which its owner would create it.
struct LocationFinder: Sendable {
  /// A location, and whether a cache exists there.
  struct LocatedCache: Sendable, Hashable {
    let location: DocumentLocation
    let exists: Bool
  }

  private let items: any Keyring
  private let time: (any TimeSource)?

  /// - Parameter time: The clock for waiting while another process has truncated a file to write it; nil to use the file as it
  ///   is.
  init(_ items: any Keyring, _ time: (any TimeSource)? = nil) {
    self.items = items
    self.time = time
  }

  /// Returns the location in use: of a file and an item, the one that was written last.
  ///
  /// If neither exists, returns the location in which the owner creates the cache. The keyring is queried only if the plain file
  /// is also the signal file of an item.
  ///
  /// - Throws: `cancelled` if the call was cancelled; `storeBusy` if its deadline passes while another process writes.
  func find(
    _ locations: KnownCacheLocations, within limits: CallLimits
  ) throws(TesseraError) -> LocatedCache {
    if let shared = locations.items.first(where: { $0.signal == locations.file }) {
      switch try prefersItem(shared.item, over: locations.file, within: limits) {
      case true?:
        return LocatedCache(location: .item(shared.item, signal: shared.signal), exists: true)
      case false?: return LocatedCache(location: .file(locations.file), exists: true)
      case nil: break
      }
    } else if let newest = LocationChoice.newest(
      locations.all.map { LocationFinder.file(at: $0.signal) })
    {
      return LocatedCache(location: locations.all[newest], exists: true)
    }
    return LocatedCache(location: try initialLocation(locations, within: limits), exists: false)
  }

  /// Returns the location in which the owner would create the cache.
  ///
  /// An item is chosen even if the keyring is locked or does not respond. Otherwise tokens would be stored in a file.
  private func initialLocation(
    _ locations: KnownCacheLocations, within limits: CallLimits
  ) throws(TesseraError) -> DocumentLocation {
    guard locations.initialLocation == .item, let (item, signal) = locations.items.first else {
      return .file(locations.file)
    }
    do throws(KeyFailure) {
      try items.checkAvailability(for: item, within: limits)
    } catch {
      switch error {
      case .ended(let error): throw error
      case .refused(.locked, _), .refused(.timeout, _): break
      case .refused: return .file(locations.file)
      }
    }
    return .item(item, signal: signal)
  }

  /// Whether an item is used instead of the plain file that is its signal file; nil if neither exists.
  ///
  /// A file that is being written may be empty like the signal file of an item. If there is no item, the function waits
  /// for the writer.
  private func prefersItem(
    _ item: KeyringItem, over path: String, within limits: CallLimits
  ) throws(TesseraError) -> Bool? {
    var pause = Backoff()
    let end = time.map { limits.atMost(milliseconds: CacheFile.maximumWaitMilliseconds, $0) }
    while true {
      let file = LocationFinder.file(at: path)
      let state = try state(of: item, within: limits)
      if let time, let end, let file, !file.hasDocument, !state.isPresent {
        let isBusy = PeerWriter.process(holding: CacheFile(path).lockPath) != nil
        // The file may have been written between the two checks.
        if isBusy || LocationFinder.file(at: path) != file {
          try CacheFile(path).wait(&pause, time, within: end)
          continue
        }
      }
      return LocationChoice.prefersItem(state, over: file)
    }
  }

  private func state(
    of item: KeyringItem, within limits: CallLimits
  ) throws(TesseraError) -> LocationChoice.Item {
    do throws(KeyFailure) {
      let modified = try items.modified(of: item, within: limits)
      return modified.map { .present(modified: $0) } ?? .missing
    } catch {
      if case .ended(let error) = error { throw error }
      return .unknown
    }
  }

  /// Returns the attributes of the file at a path; nil if it does not exist or cannot be queried.
  static func file(at path: String) -> LocationChoice.File? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
      return nil
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let modified = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
    return LocationChoice.File(
      size: Int64(status.st_size), modified: modified &+ Int64(time.tv_nsec))
  }
}
