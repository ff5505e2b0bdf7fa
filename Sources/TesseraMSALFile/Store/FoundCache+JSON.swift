// SPDX-License-Identifier: MIT
// The JSON form of the caches of other applications, for C, Python and the command line.

package import TesseraWire

extension FoundCache {
  /// An element of the document "KnownCaches" of docs/c-interface.md.
  ///
  /// Unknown values are omitted.
  package var json: JSONValue {
    var json: JSONObject = [
      "name": .string(name), "owner": .string(owner), "kind": .string(kind.rawValue),
      "path": .string(path), "state": .string(state.rawValue), "selected": .bool(isSelected),
    ]
    json.append("schema", schema)
    if let accounts { json.append("accounts", .integer(Int64(accounts))) }
    if let modifiedOn { json.append("modified_on", .integer(modifiedOn)) }
    json.append("reason", reason)
    return .object(json)
  }

  /// An element of the document "KnownCaches" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension [FoundCache] {
  /// The document "KnownCaches" of docs/c-interface.md.
  package var json: JSONValue { ["caches": .array(map(\.json))] }
}
