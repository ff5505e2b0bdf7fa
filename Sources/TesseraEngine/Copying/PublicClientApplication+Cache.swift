// SPDX-License-Identifier: MIT
// The store as the document that MSAL libraries keep: read whole, and written as what differs between two of them.

import TesseraCache
import TesseraWire

/// What became of a document that was written into a store.
public struct CacheWriteReport: Sendable, Hashable {
  /// How many entries were new or others than before.
  public let stored: Int
  /// How many entries were gone.
  public let removed: Int
}

extension PublicClientApplication {
  /// The whole store as the JSON document that MSAL libraries keep, for every account and application; asks no server.
  ///
  /// It holds tokens. Entries are spelled as MSAL Python spells them, each cloud under the host that its authorities have;
  /// what Tessera remembers for itself is not among them, and neither are tokens for other client capabilities, which other
  /// libraries do not tell apart.
  ///
  /// - Throws: ``TesseraError``: a fault of the store.
  public func readCache(timeoutMilliseconds: Int64? = nil) throws(TesseraError) -> String {
    let document = CacheDocument(try everything(timeoutMilliseconds), host: CloudTable.shown)
    return String(decoding: document.json.bytes, as: UTF8.self)
  }

  /// Writes what differs between two documents, as ``readCache(timeoutMilliseconds:)`` gives them, in one commit.
  ///
  /// What others stored since the first one was read stays: an entry is stored unless a newer one is there, and removed if it
  /// is the same token still; a refresh token and an account go in any case, since that is how others sign out. Entries
  /// that are the same in both documents may be left out of both.
  ///
  /// - Throws: ``TesseraError``: `fixRequest` with code `invalid_member` for a text that is no such document; a fault of the
  ///   store. Then nothing was changed.
  @discardableResult
  public func writeCache(
    before: String, after: String, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> CacheWriteReport {
    let older = try CacheDocument.read(before, "before")
    let edits = try CacheDocument.read(after, "after").edits(from: older).map {
      $0.inEnvironment(CloudTable.stored, foreign: CloudTable.shown)
    }
    let removed = edits.count { if case .remove = $0 { true } else { false } }
    if !edits.isEmpty {
      try cache.commitOrThrow(
        CacheChange([.exchange(edits)]), within: limits(timeoutMilliseconds))
    }
    return CacheWriteReport(stored: edits.count - removed, removed: removed)
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
        "\(name) is no cache: \(error.reason), at byte \(error.offset).")
    }
  }
}

extension CloudTable {
  /// The host under which other libraries look for the entries of a cloud: that of its authorities.
  fileprivate static func shown(_ environment: String) -> String {
    cloud(of: environment.normalised)?.preferredNetwork ?? environment
  }

  /// The host under which entries of a cloud are stored here.
  fileprivate static func stored(_ environment: String) -> String {
    preferredCaches[environment.normalised] ?? environment
  }
}
