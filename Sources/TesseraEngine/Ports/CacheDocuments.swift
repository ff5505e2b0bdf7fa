// SPDX-License-Identifier: MIT
// The port to the cache document of MSAL libraries.

package import TesseraCache

/// Converts the records of a store to and from the JSON document of MSAL libraries.
package protocol CacheDocuments: Sendable {
  /// Returns the document of all records of a store.
  func document(of records: [CacheRecord]) throws(TesseraError) -> String

  /// Returns the edits of records that turn one document into another.
  ///
  /// - Throws: `fixRequest` with code `invalid_member` for a text that is not such a document.
  func edits(from before: String, to after: String) throws(TesseraError) -> [CacheChange.Edit]
}

/// The port of a build without the cache documents: every call fails.
package struct NoCacheDocuments: CacheDocuments {
  /// Creates the port.
  package init() {}

  package func document(of records: [CacheRecord]) throws(TesseraError) -> String {
    throw MissingFeature.msalFile.error
  }

  package func edits(
    from before: String, to after: String
  ) throws(TesseraError) -> [CacheChange.Edit] {
    throw MissingFeature.msalFile.error
  }
}
