// SPDX-License-Identifier: MIT
// Caches of other programs, as the JSON document that C, Python and the command line see.

package import TesseraWire

extension FoundCache {
  /// One entry of the document "KnownCaches" of docs/c-interface.md; what is not known is left out.
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
}

extension [FoundCache] {
  /// The document "KnownCaches" of docs/c-interface.md.
  package var json: JSONValue { ["caches": .array(map(\.json))] }
}
