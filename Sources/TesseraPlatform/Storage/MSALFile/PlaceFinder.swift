// SPDX-License-Identifier: MIT
// Looks which of the places of a known cache is the one in use.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds the place in which a known cache lies, or in which its owner would make it.
struct PlaceFinder: Sendable {
  /// A place, and whether anything is there.
  struct Found: Sendable, Hashable {
    let place: DocumentPlace
    let isThere: Bool
  }

  private let items: any Keyring
  private let time: (any TimeSource)?

  /// - Parameter time: for waiting while somebody has emptied a file to write it; nil takes it as it is.
  init(_ items: any Keyring, _ time: (any TimeSource)? = nil) {
    self.items = items
    self.time = time
  }

  /// The place in use: of a file and an item, the one that was written last; where there is neither, what the owner makes.
  ///
  /// The keyring is asked only where the owner touches the plain file itself for its item.
  ///
  /// - Throws: `cancelled`, when the call has to end; `storeBusy` when its deadline passes while somebody writes.
  func find(
    _ places: KnownPlaces, within limits: CallLimits
  ) throws(TesseraError) -> Found {
    if let shared = places.items.first(where: { $0.signal == places.file }) {
      switch try prefersItem(shared.item, over: places.file, within: limits) {
      case true?: return Found(place: .item(shared.item, signal: shared.signal), isThere: true)
      case false?: return Found(place: .file(places.file), isThere: true)
      case nil: break
      }
    } else if let newest = PlaceChoice.newest(places.all.map { PlaceFinder.file(at: $0.signal) }) {
      return Found(place: places.all[newest], isThere: true)
    }
    return Found(place: try beginning(places, within: limits), isThere: false)
  }

  /// Where the owner of a cache that is not there would make it.
  ///
  /// A keyring that is locked or silent stays the place: tokens must not end in a file because of that.
  private func beginning(
    _ places: KnownPlaces, within limits: CallLimits
  ) throws(TesseraError) -> DocumentPlace {
    guard places.beginning == .item, let (item, signal) = places.items.first else {
      return .file(places.file)
    }
    do throws(KeyFailure) {
      try items.look(for: item, within: limits)
    } catch {
      switch error {
      case .ended(let error): throw error
      case .refused(.locked, _), .refused(.timeout, _): break
      case .refused: return .file(places.file)
      }
    }
    return .item(item, signal: signal)
  }

  /// Whether an item is used rather than the plain file that is touched for it; nil if there is neither.
  ///
  /// A file that somebody has emptied to write it is no sign of an item: where there is none, the writer is waited for.
  private func prefersItem(
    _ item: KeyringItem, over path: String, within limits: CallLimits
  ) throws(TesseraError) -> Bool? {
    var pause = Backoff()
    let end = time.map { limits.atMost(milliseconds: CacheFile.longest, $0) }
    while true {
      let file = PlaceFinder.file(at: path)
      let state = try state(of: item, within: limits)
      if let time, let end, let file, !file.hasDocument, !state.isPresent {
        let isBusy = PeerWriter.process(holding: CacheFile(path).lockPath) != nil
        // It may have been filled between these looks.
        if isBusy || PlaceFinder.file(at: path) != file {
          try CacheFile(path).wait(&pause, time, within: end)
          continue
        }
      }
      return PlaceChoice.prefersItem(state, over: file)
    }
  }

  private func state(
    of item: KeyringItem, within limits: CallLimits
  ) throws(TesseraError) -> PlaceChoice.Item {
    do throws(KeyFailure) {
      let modified = try items.modified(of: item, within: limits)
      return modified.map { .present(modified: $0) } ?? .missing
    } catch {
      if case .ended(let error) = error { throw error }
      return .unknown
    }
  }

  /// The file at a path; nil if there is none that can be looked at.
  static func file(at path: String) -> PlaceChoice.File? {
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
    return PlaceChoice.File(size: Int64(status.st_size), modified: modified &+ Int64(time.tv_nsec))
  }
}
