// SPDX-License-Identifier: MIT
// The cache format of ADAL for Python, ADAL for Node and the Azure CLI: an array of JSON objects.

import TesseraCache
import TesseraWire

/// A reader for an array of entries, or for an object with the array as `_entries`, which a Node application may write.
package enum ADALEntryReader {
  /// Calls `emit` with each entry, in cache order.
  ///
  /// - Throws: ``LegacyCacheError`` if the structure is invalid. The entries before the error were passed on.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var index = 0
    do throws(JSONError) {
      let whole = try JSONElementScanner(bytes)
      var entries = try whole.isObject ? ADALEntryReader.entries(of: whole, in: bytes) : whole
      while index < LegacyLimits.entries, let byteRange = try entries.next() {
        emit(entry(index) { () throws(JSONError) in try entries.read(byteRange) })
        index += 1
      }
    } catch {
      throw LegacyCacheError(entry: index, cache: error)
    }
    guard index < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
  }

  private static func entries(
    of object: JSONElementScanner, in bytes: [UInt8]
  ) throws(JSONError) -> JSONElementScanner {
    var object = object
    var passed = 0
    while passed < LegacyLimits.members, let member = try object.nextMember() {
      if member.name == "_entries" { return try JSONElementScanner(bytes, in: member.byteRange) }
      passed += 1
    }
    throw JSONError(reason: "no entries", offset: 0)
  }

  private static func entry(
    _ index: Int, _ read: () throws(JSONError) -> JSONValue
  ) -> LegacyEntry {
    let value: JSONValue
    do throws(JSONError) { value = try read() } catch {
      return .damaged(LegacyCacheError(invalid: error, entry: index))
    }
    guard let members = value.object else {
      return .damaged(LegacyCacheError(notAnObject: value, entry: index))
    }
    let entry = ADALEntry(members)
    // For a service principal, the access token member contains the secret of the service.
    if entry["servicePrincipalId"] != nil { return .preserved(.servicePrincipal) }
    guard let item = entry.item else {
      return .damaged(
        LegacyCacheError(
          entry: index, "entry_incomplete",
          "An entry has no authority or no client ID."))
    }
    // An access token without a user ID is an app-only token.
    return entry["userId"] == nil && item.refreshToken == nil
      ? .preserved(.servicePrincipal) : .item(item)
  }
}
