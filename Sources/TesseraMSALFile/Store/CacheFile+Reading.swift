// SPDX-License-Identifier: MIT
// Reading of a file that other libraries write in place: a document that cannot be parsed may be incomplete.

import TesseraEngine
import TesseraPlatform

extension CacheFile {
  /// The time after which an unchanged file without a writer is considered damaged, in nanoseconds.
  private static let damageDelay: UInt64 = 1_000_000_000
  /// The maximum time for which a call waits for writers, in milliseconds.
  static let maximumWaitMilliseconds: Int64 = 10_000

  /// The content of a cache file.
  enum Content<Document> {
    /// The file does not exist.
    case missing
    /// The file was parsed.
    case valid(Document, CacheStamp)
    /// The file cannot be parsed, and no process is writing it.
    case damaged([UInt8], CacheStamp)
  }

  /// Reads the file, and retries while it cannot be parsed.
  ///
  /// Libraries that write in place expose an empty or incomplete file.
  ///
  /// Retries as long as a living process holds the lock, and for one more second: a process stopped during its write may
  /// continue.
  ///
  /// - Parameters:
  ///   - known: A state that was already found damaged. Only a running writer is then waited for.
  ///   - parse: Returns nil for a document that cannot be parsed.
  /// - Throws: `storeBusy` if the deadline passes during a write, with the process ID if it is known.
  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp? = nil,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> Content<Document> {
    let limits = limits.atMost(milliseconds: CacheFile.maximumWaitMilliseconds, time)
    var pause = Backoff()
    var seen: (stamp: CacheStamp, at: UInt64)?
    while true {
      switch try readOnce() {
      case .missing: return .missing
      case .content(let bytes, let stamp):
        if let document = parse(bytes) { return .valid(document, stamp) }
        let now = time.monotonicNanoseconds
        if PeerWriter.process(holding: lockPath) != nil {
          // The writer may finish before the next read. That content is then new, even with the same stamp.
          seen = nil
        } else if stamp == known {
          return .damaged(bytes, stamp)
        } else if let seen, seen.stamp == stamp {
          if now &- seen.at >= CacheFile.damageDelay { return .damaged(bytes, stamp) }
        } else {
          seen = (stamp, now)
        }
      case .changing: break
      }
      try wait(&pause, time, within: limits)
    }
  }

  /// Waits before the next read.
  ///
  /// An error about the deadline contains the ID of the process that is writing.
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
        "Timed out waiting for process \(writer), which is writing \(path). Nothing was changed. Try again."
      throw error
    }
  }
}
