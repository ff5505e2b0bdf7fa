// SPDX-License-Identifier: MIT
// The client_info of Entra, which contains the home account ID of the signed-in user.

/// The decoded `client_info` of a token response.
package struct ClientInfo: Sendable, Hashable {
  /// The object ID in the home tenant; for B2C followed by the policy.
  package let uid: String
  /// The home tenant ID.
  package let utid: String

  /// Decodes base64url JSON with the members `uid` and `utid`.
  ///
  /// - Throws: ``WireError`` `client_info_invalid`.
  package init(_ text: String) throws(WireError) {
    guard let bytes = Base64URL.decode(text), let json = (try? JSONValue(parsing: bytes))?.object,
      let uid = json["uid"]?.string?.nonBlank, let utid = json["utid"]?.string?.nonBlank
    else {
      throw WireError("client_info_invalid", "The client_info of the token response is invalid.")
    }
    self.uid = uid
    self.utid = utid
  }

  /// The account ID that is the same in all tenants: `uid.utid` in lower case.
  package var homeAccountID: String {
    "\(uid.normalised).\(utid.normalised)"
  }
}
