// SPDX-License-Identifier: MIT
// The store as the JSON document of MSAL libraries.

import TesseraCache
public import TesseraEngine
import TesseraWire

/// The result of writing a document into a store.
public struct CacheWriteReport: Sendable, Hashable {
  /// The number of new or changed entries.
  public let stored: Int
  /// The number of removed entries.
  public let removed: Int

  /// Creates a report.
  public init(stored: Int, removed: Int) {
    self.stored = stored
    self.removed = removed
  }
}

extension PublicClientApplication {
  /// Returns the whole store as the JSON document of MSAL libraries, for all accounts and applications.
  ///
  /// Works offline.
  ///
  /// The document contains tokens. Entries have the format of MSAL Python, with the network host of each cloud. Tessera's
  /// internal records are omitted. So are tokens for other client capabilities, which other libraries do not distinguish.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: a storage error.
  public func readCache(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> String {
    try readCache(within: startedLimits(timeout, cancellation))
  }

  /// Writes the differences between two documents of ``readCache(timeout:cancellation:)``, in one commit.
  ///
  /// Changes by others since the first document was read are kept. An entry is stored unless the store has a newer one. It
  /// is removed if the store still has the same token. Refresh tokens and accounts are removed in any case, because other
  /// libraries sign out in this way. Entries that are equal in both documents may be omitted from both.
  ///
  /// - Parameters:
  ///   - before: The document before the changes.
  ///   - after: The document with the changes.
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: `fixRequest` with code `invalid_member` for a text that is not such a document; a storage
  ///   error. Then nothing is changed.
  @discardableResult
  public func writeCache(
    before: String, after: String, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CacheWriteReport {
    try writeCache(before: before, after: after, within: startedLimits(timeout, cancellation))
  }

  /// Returns the whole store as a document, within the limits of a call.
  package func readCache(within limits: CallLimits) throws(TesseraError) -> String {
    let records = try StoreContents(context, within: limits).everything()
    let document = CacheDocument(records, host: CloudTable.networkHost)
    return String(decoding: document.json.bytes, as: UTF8.self)
  }

  /// Writes the differences between two documents, within the limits of a call.
  package func writeCache(
    before: String, after: String, within limits: CallLimits
  ) throws(TesseraError) -> CacheWriteReport {
    let older = try CacheDocument.read(before, "before")
    let changes = try CacheDocument.read(after, "after").edits(
      from: older, environment: CloudTable.stored, foreign: CloudTable.networkHost)
    if !changes.edits.isEmpty {
      try context.cache.commitOrThrow(CacheChange([.feature(changes)]), within: limits)
    }
    let removed = changes.removalCount
    return CacheWriteReport(stored: changes.edits.count - removed, removed: removed)
  }
}

extension CacheDocument {
  fileprivate static func read(
    _ text: String, _ name: String
  ) throws(TesseraError) -> CacheDocument {
    do throws(JSONError) {
      return try CacheDocument(parsing: text)
    } catch {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\(name) is not a cache document: \(error.reason) at byte \(error.offset).")
    }
  }
}

extension CloudTable {
  /// The host under which other libraries search for the entries of a cloud, which is its preferred network host.
  fileprivate static func networkHost(_ environment: String) -> String {
    cloud(of: environment.normalised)?.preferredNetwork ?? environment
  }

  /// The host under which entries of a cloud are stored here.
  fileprivate static func stored(_ environment: String) -> String {
    preferredCaches[environment.normalised] ?? environment
  }
}
