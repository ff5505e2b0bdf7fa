// SPDX-License-Identifier: MIT
// A short-term cache of the result that a known cache does not exist, so that not every call queries the keyring.

import TesseraEngine
import TesseraPlatform

/// The location at which an absent cache would be created, cached while the absence is certain.
///
/// A library that creates the cache, in a file or in an item, also writes or touches a file, which invalidates the result.
/// Changes without a file, such as unlocking the keyring, are noticed after a few seconds.
final class AbsentCacheLocation: Sendable {
  /// The cached result, and the monotonic time until which it is valid.
  private struct Entry: Sendable {
    let locations: KnownCacheLocations
    let found: LocationFinder.LocatedCache
    let end: UInt64
  }

  /// The maximum age of the result, in seconds.
  private static let seconds: Int64 = 5

  private let time: any TimeSource
  private let memory = SpinLock<Entry?>(nil)

  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Returns the cached location while it is valid and the cache is absent; otherwise calls the function.
  func locate(
    _ locations: KnownCacheLocations,
    by search: () throws(TesseraError) -> LocationFinder.LocatedCache
  ) throws(TesseraError) -> LocationFinder.LocatedCache {
    let now = time.monotonicNanoseconds
    if let last = memory.withLock({ $0 }), now < last.end, last.locations == locations,
      !AbsentCacheLocation.hasFile(locations)
    {
      return last.found
    }
    let end = time.monotonicNanoseconds(inSeconds: AbsentCacheLocation.seconds)
    let found = try search()
    let isAbsent = !found.exists && !AbsentCacheLocation.hasFile(locations)
    memory.withLock { $0 = isAbsent ? Entry(locations: locations, found: found, end: end) : nil }
    return found
  }

  private static func hasFile(_ locations: KnownCacheLocations) -> Bool {
    locations.all.contains { LocationFinder.file(at: $0.signal) != nil }
  }
}
