// SPDX-License-Identifier: MIT
// What a keyring said of a cache that is not there yet: not every call asks it again.

import TesseraEngine

/// The place in which a cache would be made, for as long as it surely is not there.
///
/// Whoever makes it, in a file or in an item, writes or touches a file, and so is noticed at once. What nobody notices, such
/// as a keyring that is unlocked, is asked for again after a few seconds.
final class AbsentPlace: Sendable {
  /// What was found, and until when it is believed, by the monotonic clock.
  private struct Memory: Sendable {
    let places: KnownPlaces
    let found: PlaceFinder.Found
    let end: UInt64
  }

  /// For how long an answer is believed, in seconds.
  private static let seconds: Int64 = 5

  private let time: any TimeSource
  private let memory = SpinLock<Memory?>(nil)

  init(_ time: any TimeSource) {
    self.time = time
  }

  /// The place that was found a moment ago, if there still is nothing; else what is found now.
  func found(
    _ places: KnownPlaces, by look: () throws(TesseraError) -> PlaceFinder.Found
  ) throws(TesseraError) -> PlaceFinder.Found {
    let now = time.monotonicNanoseconds
    if let last = memory.withLock({ $0 }), now < last.end, last.places == places,
      !AbsentPlace.hasFile(places)
    {
      return last.found
    }
    let end = time.monotonicNanoseconds(inSeconds: AbsentPlace.seconds)
    let found = try look()
    let isAbsent = !found.isThere && !AbsentPlace.hasFile(places)
    memory.withLock { $0 = isAbsent ? Memory(places: places, found: found, end: end) : nil }
    return found
  }

  private static func hasFile(_ places: KnownPlaces) -> Bool {
    places.all.contains { PlaceFinder.file(at: $0.signal) != nil }
  }
}
