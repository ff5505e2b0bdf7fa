// SPDX-License-Identifier: MIT
// Where the bytes of a unified cache lie: what a file and an item of the keyring have in common.

import TesseraEngine

/// The document of a unified cache where it lies: in a file of its own, or in an item for which a file is touched.
protocol CacheDocument: Sendable {
  /// The file in which it lies, or the one that is touched for it; the locks lie beside that.
  var file: CacheFile { get }

  /// The state in which it is as far as the file tells; nil if there is no file.
  var stamp: CacheStamp? { get }

  /// For how long what was read counts while the stamp is the same, in nanoseconds.
  var trust: UInt64 { get }

  /// The names of the copies of damaged documents beside the file, the oldest first.
  var asideNames: [String] { get }

  /// Refuses a place in which others could put something else.
  func checkSafety() throws(TesseraError)

  /// Reads it, for as long as somebody may be writing it.
  ///
  /// - Parameters:
  ///   - known: a state that was found damaged before: only a writer that is still there is waited for again.
  ///   - parse: nil for what can't be read.
  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp?,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> CacheFile.Content<Document>

  /// Puts a new one in its place, under the lock of all libraries.
  ///
  /// - Parameter seen: what the new one was made from; nil for nothing.
  /// - Returns: the new state; nil if somebody has changed it since: nothing was written.
  func write(
    _ bytes: [UInt8], replacing seen: SeenCache?, under lock: PeerLockFile,
    within limits: CallLimits
  ) throws(TesseraError) -> CacheStamp?

  /// Throws unless it could be written now, with so many bytes more.
  func prove(room: Int, within limits: CallLimits) throws(TesseraError)

  /// Keeps what can't be read, so that another one can take its place.
  ///
  /// - Returns: the name of the copy.
  /// - Throws: when that is not done here: then nothing is to take its place.
  func setAside(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String

  /// The error for what can't be read; says what a sign-in will do about it.
  func damaged(_ reason: String) -> TesseraError
}

/// A cache as it was at one moment.
struct SeenCache: Sendable {
  let bytes: [UInt8]
  let stamp: CacheStamp
}
