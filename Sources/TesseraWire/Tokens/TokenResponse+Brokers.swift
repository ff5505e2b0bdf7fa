// SPDX-License-Identifier: MIT
// Token responses from the brokers of Apple systems, which contain more members than those of servers.

extension TokenResponse {
  /// Returns the response without a refresh token that was issued to another client, such as the broker itself.
  ///
  /// The application must not redeem such a token.
  package static func own(_ json: JSONObject, of clientID: String) -> JSONObject {
    guard let owner = json["client_id"]?.string?.nonBlank, owner.normalised != clientID.normalised
    else { return json }
    var json = json
    json["refresh_token"] = nil
    json["foci"] = nil
    return json
  }

  /// Whether several users share the device of the response.
  package static func isFromSharedDevice(_ json: JSONObject) -> Bool {
    json["device_mode"]?.string?.normalised == "shared"
  }
}
