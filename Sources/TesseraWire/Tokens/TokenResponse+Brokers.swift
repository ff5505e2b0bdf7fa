// SPDX-License-Identifier: MIT
// Token responses that a broker of Apple systems hands on, which say more than a server's.

extension TokenResponse {
  /// The response without a refresh token that belongs to the broker itself or to another program: it is not the
  /// application's to redeem.
  package static func own(_ json: JSONObject, of clientID: String) -> JSONObject {
    guard let owner = json["client_id"]?.string?.nonBlank, owner.normalised != clientID.normalised
    else { return json }
    var json = json
    json["refresh_token"] = nil
    json["foci"] = nil
    return json
  }

  /// Whether it says that people share the device.
  package static func isOfSharedDevice(_ json: JSONObject) -> Bool {
    json["device_mode"]?.string?.normalised == "shared"
  }
}
