// SPDX-License-Identifier: MIT
// Conversion of the values of a keyed archive other than tokens to JSON, with a size limit and a check for cycles.

import TesseraCache
package import TesseraWire

extension KeyedArchive {
  /// The maximum size of a value that is converted, in bytes.
  private static let maximumSize = 256 << 10

  /// Returns a dictionary with string keys as a JSON object, or an empty object for any other value.
  ///
  /// JSON has no dates and no data. They become objects with the single member `$date` (seconds since 1970) or `$data`
  /// (base64url). Instances of unknown classes are left out.
  package mutating func json(at objectIndex: Int) throws(LegacyCacheError) -> JSONObject {
    var left = KeyedArchive.maximumSize
    return try json(at: objectIndex, inside: [], &left)?.object ?? JSONObject()
  }

  private mutating func json(
    at objectIndex: Int, inside path: [Int], _ left: inout Int
  ) throws(LegacyCacheError) -> JSONValue? {
    guard !path.contains(objectIndex) else {
      throw LegacyCacheError(
        "archive_contains_itself", "An object of the keyed archive contains itself.")
    }
    guard path.count < 16, left > 0 else {
      throw LegacyCacheError(
        "archive_too_large", "An object of the keyed archive is too large or nested too deeply.")
    }
    left -= 16
    switch try value(at: objectIndex) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return value.isFinite ? .number(String(value)) : nil
    case .string(let text):
      left -= text.utf8.count
      return .string(text)
    case .data(let bytes):
      left -= bytes.count
      return left > 0 ? ["$data": .string(Base64URL.encode(bytes))] : nil
    case .date(let seconds):
      let time = ArchivedValue.date(seconds).instant
      return time.map { ["$date": .integer($0.secondsSince1970)] }
    case .array(let objectIndexes):
      var elements: [JSONValue] = []
      for element in objectIndexes {
        if let json = try json(at: element, inside: path + [objectIndex], &left) {
          elements.append(json)
        }
      }
      return .array(elements)
    case .dictionary(let dictionary):
      return .object(try json(of: dictionary, inside: path + [objectIndex], &left))
    case .instance, .unknown: return nil
    }
  }

  private mutating func json(
    of dictionary: ArchivedDictionary, inside path: [Int], _ left: inout Int
  ) throws(LegacyCacheError) -> JSONObject {
    var members = JSONObject()
    for pair in dictionary.pairs {
      guard let name = try value(at: pair.key).string else { continue }
      left -= name.utf8.count
      if let json = try json(at: pair.value, inside: path, &left) { members.append(name, json) }
    }
    return members
  }
}
