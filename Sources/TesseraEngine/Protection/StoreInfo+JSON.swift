// SPDX-License-Identifier: MIT
// The JSON form of the store information, for C, Python and the command line.

package import TesseraWire

extension StoreInfo {
  /// The document "StoreInfo" of docs/c-interface.md.
  ///
  /// Unknown values are omitted.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("state", state.rawValue)
    json.append("storage_policy", policy.rawValue)
    json.append("protection", protection?.rawValue)
    json.append("key_source", keySource?.rawValue)
    json.append("attempts", .array(attempts.map(\.json)))
    json.append("path", path)
    if let layoutVersion { json.append("layout_version", .integer(Int64(layoutVersion))) }
    if let bytes { json.append("bytes", .integer(bytes)) }
    if let fileBytes { json.append("file_bytes", .integer(fileBytes)) }
    if let limitBytes { json.append("limit_bytes", .integer(limitBytes)) }
    if let records { json.append("records", records.json) }
    json.append("network_file_system", .bool(isRemote))
    json.append("lock_scope", lockScope.rawValue)
    json.append("shared_with_peers", .bool(isSharedWithPeers))
    json.append("set_aside", .strings(setAside))
    if let problem { json.append("problem", .object(problem.members)) }
    return .object(json)
  }

  /// The document "StoreInfo" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension KeyAttempt {
  fileprivate var json: JSONValue {
    [
      "source": .string(source.rawValue), "problem": .string(problem.rawValue),
      "reason": .string(reason),
    ]
  }
}

extension StoreInfo.Records {
  fileprivate var json: JSONValue {
    [
      "accounts": .integer(Int64(accounts)), "access_tokens": .integer(Int64(accessTokens)),
      "refresh_tokens": .integer(Int64(refreshTokens)), "id_tokens": .integer(Int64(idTokens)),
      "others": .integer(Int64(others)), "damaged": .integer(Int64(damaged)),
    ]
  }
}
