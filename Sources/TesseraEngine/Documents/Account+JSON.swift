// SPDX-License-Identifier: MIT
// An account as the JSON document that C, Python and the command line see.

package import TesseraWire

extension Account {
  /// The members `home_account_id`, `environment`, `username`, `name`, `tenant_profiles`.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("home_account_id", homeAccountID)
    json.append("environment", environment)
    json.append("username", username)
    json.append("name", name)
    json.append("tenant_profiles", .array(tenantProfiles.map(\.json)))
    return .object(json)
  }
}

extension TenantProfile {
  fileprivate var json: JSONValue {
    [
      "tenant_id": .string(tenantID), "local_account_id": .string(localAccountID),
      "is_home_tenant": .bool(isHomeTenant),
    ]
  }
}
