// SPDX-License-Identifier: MIT
// Reading a file that others write in place: what can't be read now may be half written.

import TesseraEngine

extension CacheFile {
  /// For how long something that does not change is taken for half written.
  private static let patience: UInt64 = 1_000_000_000

  /// What is in a cache file.
  enum Content<Document> {
    /// There is none.
    case missing
    /// It was read.
    case sound(Document, CacheStamp)
    /// It can't be read, and nobody is writing it.
    case damaged([UInt8], CacheStamp)
  }

  /// Reads the file, again and again for about a second while it can't be read: libraries that write it in place show it
  /// empty, or half of it, in between.
  ///
  /// - Parameters:
  ///   - known: a state that was found damaged before: nobody is waited for again.
  ///   - parse: nil for what can't be read.
  /// - Throws: `storeBusy` when the deadline passes while somebody writes.
  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp? = nil,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> Content<Document> {
    var pause = Backoff()
    var seen: (stamp: CacheStamp, at: UInt64)?
    while true {
      switch try look() {
      case .missing: return .missing
      case .content(let bytes, let stamp):
        if let document = parse(bytes) { return .sound(document, stamp) }
        let now = time.monotonicNanoseconds
        if stamp == known { return .damaged(bytes, stamp) }
        if let seen, seen.stamp == stamp {
          if now &- seen.at >= CacheFile.patience { return .damaged(bytes, stamp) }
        } else {
          seen = (stamp, now)
        }
      case .moving: break
      }
      try pause.wait(time, within: limits)
    }
  }
}
