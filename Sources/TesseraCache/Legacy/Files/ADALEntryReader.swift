// SPDX-License-Identifier: MIT
// The flat entries of ADAL for Python, of ADAL for Node and of the Azure CLI: an array of JSON objects.

import TesseraWire

/// Reads an array of entries, or an object that has it as `_entries`, as a program of Node may have written its cache.
package enum ADALEntryReader {
  /// Meets every entry, in the order of the cache.
  ///
  /// - Throws: ``LegacyDamage`` for what has another shape; the entries before that have been met.
  package static func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    var index = 0
    do throws(JSONError) {
      let whole = try JSONSpans(bytes)
      var entries = try whole.isObject ? ADALEntryReader.entries(of: whole, in: bytes) : whole
      while index < LegacyLimits.entries, let place = try entries.next() {
        meet(entry(index) { () throws(JSONError) in try entries.read(place) })
        index += 1
      }
    } catch {
      throw LegacyDamage(entry: index, cache: error)
    }
    guard index < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
  }

  private static func entries(
    of object: JSONSpans, in bytes: [UInt8]
  ) throws(JSONError) -> JSONSpans {
    var object = object
    var passed = 0
    while passed < LegacyLimits.members, let member = try object.nextMember() {
      if member.name == "_entries" { return try JSONSpans(bytes, in: member.place) }
      passed += 1
    }
    throw JSONError(reason: "there are no entries", offset: 0)
  }

  private static func entry(
    _ index: Int, _ read: () throws(JSONError) -> JSONValue
  ) -> LegacyEntry {
    let value: JSONValue
    do throws(JSONError) { value = try read() } catch {
      return .damaged(LegacyDamage(invalid: error, entry: index))
    }
    guard let members = value.object else {
      return .damaged(LegacyDamage(notAnObject: value, entry: index))
    }
    let entry = ADALEntry(members)
    // What is called an access token there is the secret of a service.
    if entry["servicePrincipalId"] != nil { return .preserved(.servicePrincipal) }
    guard let item = entry.item else {
      return .damaged(
        LegacyDamage(
          entry: index, "entry_incomplete",
          "An entry does not say which authority and client it is of."))
    }
    // A service's own access token: it is nobody's.
    return entry["userId"] == nil && item.refreshToken == nil
      ? .preserved(.servicePrincipal) : .item(item)
  }
}
