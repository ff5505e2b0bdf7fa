// SPDX-License-Identifier: MIT
// The JSON form of a copy report, for C, Python and the command line.

package import TesseraWire

extension CopyReport {
  /// The document "CopyReport" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("dry_run", .bool(isDryRun))
    json.append("accounts", .array(accounts.map(\.json)))
    json.append("record_count", .integer(Int64(recordCount)))
    return .object(json)
  }

  /// The document "CopyReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension CopyReport.Account {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("home_account_id", homeAccountID)
    json.append("environment", environment)
    json.append("username", username)
    json.append("outcome", outcome.rawValue)
    json.append("record_count", .integer(Int64(recordCount)))
    return .object(json)
  }
}
