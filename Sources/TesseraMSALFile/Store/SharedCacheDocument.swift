// SPDX-License-Identifier: MIT
// The interface of a unified cache document, in a file or in a keyring item.

import TesseraEngine
import TesseraPlatform

/// The document of a unified cache, stored in its own file, or in a keyring item with a signal file.
protocol SharedCacheDocument: Sendable {
  /// The file that contains the document, or the signal file.
  ///
  /// The locks are next to it.
  var file: CacheFile { get }

  /// The current state according to the file; nil if there is no file.
  var stamp: CacheStamp? { get }

  /// The time for which a document is valid while the stamp is unchanged, in nanoseconds.
  var stampLifetime: UInt64 { get }

  /// The names of the quarantined documents in the directory of the file, oldest first.
  var quarantinedNames: [String] { get }

  /// Throws if other users can replace the file.
  func checkSafety() throws(TesseraError)

  /// Reads the document, and retries while another process may be writing it.
  ///
  /// - Parameters:
  ///   - known: A state that was already found damaged. Only a running writer is then waited for.
  ///   - parse: Returns nil for a document that cannot be parsed.
  func read<Document>(
    _ time: any TimeSource, within limits: CallLimits, knownDamage known: CacheStamp?,
    _ parse: ([UInt8]) -> Document?
  ) throws(TesseraError) -> CacheFile.Content<Document>

  /// Replaces the document.
  ///
  /// The lock that all libraries share is acquired once everything is prepared, unless the caller holds it.
  ///
  /// - Parameter seen: The state from which the new document was derived; nil for none.
  /// - Returns: The new state; nil without writing if the document has changed since.
  func write(
    _ bytes: [UInt8], replacing seen: DocumentState?, under lock: PeerLock,
    within limits: CallLimits
  ) throws(TesseraError) -> CacheStamp?

  /// Throws unless the document could be written now, with `additionalBytes` additional bytes.
  func checkWritable(additionalBytes: Int, within limits: CallLimits) throws(TesseraError)

  /// Quarantines a damaged document, so that a new one can replace it.
  ///
  /// - Returns: The name of the copy.
  /// - Throws: An error if this kind of document cannot be quarantined. It must then not be replaced.
  func quarantine(_ bytes: [UInt8], _ time: any TimeSource) throws(TesseraError) -> String

  /// Returns the error for a document that cannot be parsed, which describes the effect of a new sign-in.
  func damaged(_ reason: String) -> TesseraError
}

/// A document and its state at the same time.
struct DocumentState: Sendable {
  let bytes: [UInt8]
  let stamp: CacheStamp
  /// Whether every later change will result in another stamp.
  let isSettled: Bool
}
