// SPDX-License-Identifier: MIT
// The cache document of MSAL libraries, for the engine.

package import TesseraCache
package import TesseraEngine
import TesseraWire

/// The conversion of records to and from the cache document of MSAL libraries.
package struct MSALDocuments: CacheDocuments {
  /// Creates the conversion.
  package init() {}

  package func document(of records: [CacheRecord]) -> String {
    let document = CacheDocument(records, host: CloudTable.networkHost)
    return String(decoding: document.json.bytes, as: UTF8.self)
  }

  package func edits(
    from before: String, to after: String
  ) throws(TesseraError) -> [CacheChange.Edit] {
    let older = try CacheDocument.read(before, "before")
    return try CacheDocument.read(after, "after").edits(
      from: older, environment: CloudTable.stored, foreign: CloudTable.networkHost)
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
