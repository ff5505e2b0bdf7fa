// SPDX-License-Identifier: MIT
// The dictionary format of older versions of MSAL.NET: lists of JSON strings, each with one record of the unified schema.

import TesseraCache
import TesseraWire

/// A reader for the dictionary that MSAL.NET wrote before the unified JSON format.
package enum MSALDotNetReader {
  /// Calls `emit` with each record, in cache order.
  ///
  /// The format is `[{"Key": "access_tokens", "Value": ["{…}", …]}, …]`. The keys are ignored.
  ///
  /// - Throws: ``LegacyCacheError`` if the structure is invalid. The entries before the error were passed on.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var (index, passed) = (0, 0)
    do throws(JSONError) {
      var lists = try JSONElementScanner(bytes)
      while max(index, passed) < LegacyLimits.entries, let byteRange = try lists.next() {
        passed += 1
        do throws(JSONError) { try read(bytes, byteRange, &index, emit) } catch {
          emit(.damaged(LegacyCacheError(entry: index, cache: error)))
          index += 1
        }
      }
    } catch {
      throw LegacyCacheError(entry: index, cache: error)
    }
    guard max(index, passed) < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
  }

  /// Reads the records of one list.
  private static func read(
    _ bytes: [UInt8], _ list: Range<Int>, _ index: inout Int, _ emit: (LegacyEntry) -> Void
  ) throws(JSONError) {
    var members = try JSONElementScanner(bytes, in: list)
    while let member = try members.nextMember() {
      guard member.name == "Value" else { continue }
      var texts = try JSONElementScanner(bytes, in: member.byteRange)
      while index < LegacyLimits.entries, let byteRange = try texts.next() {
        emit(.record(index) { () throws(JSONError) in try texts.text(byteRange) })
        index += 1
      }
    }
  }
}

extension JSONElementScanner {
  /// Parses the JSON document in the string at a byte range.
  fileprivate func text(_ byteRange: Range<Int>) throws(JSONError) -> JSONValue {
    guard let text = try read(byteRange).string else { return .null }
    return try JSONValue(parsing: text)
  }
}
