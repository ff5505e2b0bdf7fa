// SPDX-License-Identifier: MIT
// The unified schema as one JSON object, as written by MSAL for macOS, Python, .NET, Java, Go and Node.

import TesseraCache
import TesseraWire

/// A reader for an object that contains, for each record type, an object with the records by key.
package enum UnifiedFileReader {
  /// The names of the known lists.
  static let lists: Set<String> = [
    "AccessToken", "AccessToken_With_AuthScheme", "RefreshToken", "IdToken", "Account",
    "AppMetadata", "AccountMetadata", "AccountMetadataMap",
  ]

  /// Calls `emit` with each record, in file order, and once for each unknown list.
  ///
  /// - Throws: ``LegacyCacheError`` if the structure is invalid. The entries before the error were passed on.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var index = 0
    do throws(JSONError) {
      var members = try JSONElementScanner(bytes)
      guard members.isObject else { throw JSONError(reason: "not an object", offset: 0) }
      while index < LegacyLimits.entries, let list = try members.nextMember() {
        do throws(JSONError) { try read(list, bytes, &index, emit) } catch {
          emit(.damaged(LegacyCacheError(entry: index, cache: error)))
          index += 1
        }
      }
    } catch {
      throw LegacyCacheError(entry: index, cache: error)
    }
    guard index < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
  }

  /// Reads the records of one list.
  private static func read(
    _ list: (name: String, byteRange: Range<Int>), _ bytes: [UInt8],
    _ index: inout Int, _ emit: (LegacyEntry) -> Void
  ) throws(JSONError) {
    guard lists.contains(list.name) else {
      emit(.preserved(.unknown))
      index += 1
      return
    }
    var records = try JSONElementScanner(bytes, in: list.byteRange)
    guard records.isObject else {
      throw JSONError(reason: "not an object", offset: list.byteRange.lowerBound)
    }
    while index < LegacyLimits.entries, let record = try records.nextMember() {
      emit(.record(index) { () throws(JSONError) in try records.read(record.byteRange) })
      index += 1
    }
  }
}
