// SPDX-License-Identifier: MIT
// The cache format of ADAL.NET, version 3: a count, then pairs of a key and a JSON string.

import TesseraCache
import TesseraWire

/// A reader for the caches of ADAL.NET 3 and later, which MSAL.NET also writes.
package enum ADALDotNetReader {
  /// Calls `emit` with each entry, in cache order.
  ///
  /// - Throws: ``LegacyCacheError`` if the position of the next entry is unknown. The entries before it were passed on.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var index = 0
    try forEachEntry(bytes) { key, value in
      do throws(LegacyCacheError) {
        emit(try entry(bytes[key], bytes[value]))
      } catch {
        emit(.damaged(LegacyCacheError(entry: index, error.code, error.message)))
      }
      index += 1
    }
  }

  /// Calls `emit` with the byte ranges of each key and its value.
  package static func forEachEntry(
    _ bytes: [UInt8], _ emit: (_ key: Range<Int>, _ value: Range<Int>) -> Void
  ) throws(LegacyCacheError) {
    var reader = DotNetBinaryReader(bytes)
    guard let version = reader.integer(), let count = reader.integer() else {
      throw LegacyCacheError("cache_truncated", "The cache ends before its first entry.")
    }
    guard version == 3 else {
      throw LegacyCacheError(
        "cache_version_unknown",
        "The cache has version \(version) of the ADAL.NET format, and only version 3 is supported. "
          + "Write it with ADAL.NET 3 or later, or sign in again.")
    }
    // An entry has at least two bytes, which are the lengths of its strings.
    guard count >= 0, Int(count) <= reader.remaining / 2 else {
      throw LegacyCacheError(
        "cache_malformed", "The entry count of the cache is larger than its size allows.")
    }
    for index in 0..<Int(count) {
      guard index < LegacyLimits.entries else { throw LegacyLimits.tooMany(index) }
      guard let key = reader.text(), let value = reader.text() else {
        throw LegacyCacheError(
          entry: index, "cache_truncated", "A string extends beyond the end of the cache.")
      }
      emit(key, value)
    }
  }

  private static func entry(
    _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) throws(LegacyCacheError) -> LegacyEntry {
    // A URL, a resource and a client ID: longer keys are invalid.
    guard key.count <= 1 << 16, let text = String(validating: key, as: UTF8.self),
      let key = ADALDotNetKey(text)
    else {
      throw LegacyCacheError("entry_key_invalid", "The key of an entry does not have four parts.")
    }
    let json: JSONValue
    let limits = JSONValue.Limits()
    do throws(JSONError) {
      json = try JSONValue(parsing: Array(value.prefix(limits.bytes + 1)), limits: limits)
    } catch {
      throw LegacyCacheError("entry_invalid", "The value of an entry is not JSON: \(error.reason).")
    }
    guard let members = json.object else {
      throw LegacyCacheError(
        "entry_invalid", "The value of an entry is \(json.kind), not an object.")
    }
    return switch key.subject {
    case "0": .item(LegacyItem(key, members))
    // The tokens of a service, or of a service on behalf of a user, can only be used with the service's secret.
    case "1", "2": .preserved(.servicePrincipal)
    default: .preserved(.unknown)
    }
  }
}

/// The parts of an entry's key.
struct ADALDotNetKey {
  let authority: String
  let resource: String?
  let clientID: String
  /// 0 for a user, 1 for a service, 2 for a service on behalf of a user.
  let subject: String

  /// Parses a key, or returns `nil` unless it has exactly four parts.
  init?(_ text: String) {
    let colon = UInt8(ascii: ":")
    let bytes = Array(text.utf8)
    var parts: [Range<Int>] = []
    var (start, offset) = (0, 0)
    while let colonIndex = bytes[offset...].firstIndex(of: colon) {
      let isSeparator = bytes[colonIndex...].prefix(3).elementsEqual([colon, colon, colon])
      offset = isSeparator ? colonIndex + 3 : colonIndex + 1
      guard isSeparator else { continue }
      guard parts.count < 3 else { return nil }
      parts.append(start..<colonIndex)
      start = offset
    }
    guard parts.count == 3 else { return nil }
    let texts = (parts + [start..<bytes.count]).map { String(decoding: bytes[$0], as: UTF8.self) }
    authority = texts[0]
    resource = texts[1].nonBlank
    clientID = texts[2]
    subject = texts[3]
  }
}
