// SPDX-License-Identifier: MIT
// The JSON form of exported sign-ins, for C, Python and the command line.

import TesseraEngine
package import TesseraWire

extension ExportedSignIns {
  /// The document "ExportedSignIns" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("format", format.rawValue)
    json.append("account_count", .integer(Int64(accountCount)))
    switch format {
    case .appleKeychain:
      json.append("access_groups", .strings(ExportedSignIns.accessGroups))
      json.append("items", .array(items.map(\.json)))
    case .adalMacOS: json.append("data", Base64URL.encodeStandard(data))
    }
    return .object(json)
  }
}

extension ExportedSignIns.Item {
  /// The item in the format of an exported keychain.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("account", account)
    json.append("service", service)
    json.append("generic", Base64URL.encodeStandard(generic))
    json.append("type", type.map { JSONValue.integer(Int64($0)) })
    json.append("value", Base64URL.encodeStandard(value))
    return .object(json)
  }
}
