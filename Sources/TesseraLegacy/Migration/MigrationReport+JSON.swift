// SPDX-License-Identifier: MIT
// The JSON form of a migration report, for C, Python and the command line.

import TesseraEngine
package import TesseraWire

extension MigrationReport {
  /// The document "MigrationReport" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("format", format.rawValue)
    json.append("dry_run", .bool(isDryRun))
    json.append("accounts", .array(accounts.map(\.json)))
    json.append("record_count", .integer(Int64(recordCount)))
    let kinds = preserved.sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.integer(Int64($0.value)))
    }
    json.append("preserved", .object(JSONObject(kinds)))
    json.append("damaged", .array(damaged.map(\.json)))
    json.append("further_damaged", .integer(Int64(furtherDamaged)))
    return .object(json)
  }

  /// The document "MigrationReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension MigrationReport.Account {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("username", username)
    json.append("home_account_id", homeAccountID)
    json.append("environment", environment)
    json.append("client_id", clientID)
    json.append("outcome", outcome.rawValue)
    json.append("reason", reason?.rawValue)
    json.append("advice", reason?.advice)
    return .object(json)
  }
}

extension MigrationReport.Damage {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    if let entry { json.append("entry", .integer(Int64(entry))) }
    json.append("code", code)
    json.append("message", message)
    return .object(json)
  }
}
