// SPDX-License-Identifier: MIT
// The JSON form of accounts, for C, Python and the command line.

package import TesseraWire

extension Account {
  /// The document "Account" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("home_account_id", homeAccountID)
    json.append("environment", environment)
    json.append("username", username)
    json.append("name", name)
    if let homeClaims { json.append("claims", .object(homeClaims)) }
    json.append("tenant_profiles", .array(tenantProfiles.map(\.json)))
    return .object(json)
  }

  /// The document "Account" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension TenantProfile {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json.append("tenant_id", tenantID)
    json.append("local_account_id", localAccountID)
    json.append("is_home_tenant", .bool(isHomeTenant))
    json.append("username", username)
    if let members { json.append("claims", .object(members)) }
    return .object(json)
  }
}

extension CurrentAccount {
  /// The document with the members `account` and `previous_account`.
  package var json: JSONValue {
    ["account": account?.json ?? .null, "previous_account": previousAccount?.json ?? .null]
  }

  /// The current and the previous account as JSON text, with the members `account` and `previous_account`.
  public var jsonDocument: String { json.serialized }
}
