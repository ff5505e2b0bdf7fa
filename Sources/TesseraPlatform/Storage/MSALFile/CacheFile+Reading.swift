// SPDX-License-Identifier: MIT
// Reading a file that others write in place: what can't be read now may be half written.

import TesseraEngine

extension CacheFile {
  /// For how long something that does not change, and that nobody is writing, is taken for half written.
  private static let patience: UInt64 = 1_000_000_000
  /// For how long a call waits for those who are writing, in milliseconds.
  static let longest: Int64 = 10_000

  /// What is in a cache file.
  enum Content<Document> {
    /// There is none.
    case missing
    /// It was read.
    case sound(Document, CacheStamp)
    /// It can't be read, and nobody is writing it.
    case damaged([UInt8], CacheStamp)
  }

  /// Reads the file, again and again while it can't be read: libraries that write it in place show it empty, or half of it,
  /// in between.
  ///
  /// That takes as long as a living process of theirs holds the lock, and about a second from then on: one that was stopped
  /// in the middle of its write may go on with it.
  ///
  /// - Parameters:
  ///   - known: a state that was found damaged before: only one who writes is waited for again.
  ///   - parse: nil for what can't be read.
  /// - Throws: `storeBusy` when the deadline passes while somebody writes, with the process if that is known.
  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp? = nil,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> Content<Document> {
    let limits = limits.atMost(milliseconds: CacheFile.longest, time)
    var pause = Backoff()
    var seen: (stamp: CacheStamp, at: UInt64)?
    while true {
      switch try look() {
      case .missing: return .missing
      case .content(let bytes, let stamp):
        if let document = parse(bytes) { return .sound(document, stamp) }
        let now = time.monotonicNanoseconds
        if PeerWriter.process(holding: lockPath) != nil {
          // It may be done before the next look: what is there then is new, whatever its stamp.
          seen = nil
        } else if stamp == known {
          return .damaged(bytes, stamp)
        } else if let seen, seen.stamp == stamp {
          if now &- seen.at >= CacheFile.patience { return .damaged(bytes, stamp) }
        } else {
          seen = (stamp, now)
        }
      case .moving: break
      }
      try wait(&pause, time, within: limits)
    }
  }

  /// Waits before the next look; an error about the deadline names the process that is writing.
  func wait(
    _ pause: inout Backoff, _ time: any TimeSource, within limits: CallLimits
  ) throws(TesseraError) {
    do throws(TesseraError) {
      try pause.wait(time, within: limits)
    } catch {
      guard error.code == .storeBusy, let writer = PeerWriter.process(holding: lockPath) else {
        throw error
      }
      var error = error
      error.holderProcessID = Int64(writer)
      error.message =
        "Process \(writer) was writing \(path) until the deadline. Nothing was changed. Try again."
      throw error
    }
  }
}
