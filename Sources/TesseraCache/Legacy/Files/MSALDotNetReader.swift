// SPDX-License-Identifier: MIT
// The dictionary of older versions of MSAL.NET: lists of JSON texts, each of which is one record of the unified schema.

import TesseraWire

/// Reads the dictionary that MSAL.NET wrote before the unified JSON file.
package enum MSALDotNetReader {
  /// Meets every record, in the order of the cache.
  ///
  /// The shape is `[{"Key": "access_tokens", "Value": ["{…}", …]}, …]`. What the key says is not needed.
  ///
  /// - Throws: ``LegacyDamage`` for what has another shape; the entries before that have been met.
  package static func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    var (index, passed) = (0, 0)
    do throws(JSONError) {
      var lists = try JSONSpans(bytes)
      while max(index, passed) < LegacyLimits.entries, let place = try lists.next() {
        passed += 1
        do throws(JSONError) { try read(bytes, place, &index, meet) } catch {
          meet(.damaged(LegacyDamage(entry: index, cache: error)))
          index += 1
        }
      }
    } catch {
      throw LegacyDamage(entry: index, cache: error)
    }
    guard max(index, passed) < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
  }

  /// The records of one list.
  private static func read(
    _ bytes: [UInt8], _ list: Range<Int>, _ index: inout Int, _ meet: (LegacyEntry) -> Void
  ) throws(JSONError) {
    var members = try JSONSpans(bytes, in: list)
    while let member = try members.nextMember() {
      guard member.name == "Value" else { continue }
      var texts = try JSONSpans(bytes, in: member.place)
      while index < LegacyLimits.entries, let place = try texts.next() {
        meet(.record(index) { () throws(JSONError) in try texts.text(place) })
        index += 1
      }
    }
  }
}

extension JSONSpans {
  /// The JSON value of a text that lies somewhere.
  fileprivate func text(_ place: Range<Int>) throws(JSONError) -> JSONValue {
    guard let text = try read(place).string else { return .null }
    return try JSONValue(parsing: text)
  }
}
