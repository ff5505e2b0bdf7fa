// SPDX-License-Identifier: MIT
// client_info: how Entra names the home account of whoever signed in.

/// The decoded `client_info` of a token response.
package struct ClientInfo: Sendable, Hashable {
  /// The object id in the home tenant; for B2C with the policy behind it.
  package let uid: String
  /// The home tenant.
  package let utid: String

  /// Reads base64url JSON with the members `uid` and `utid`.
  package init(_ text: String) throws(WireError) {
    guard let bytes = Base64URL.decode(text), let json = (try? JSONValue(parsing: bytes))?.object,
      let uid = json["uid"]?.string?.nonBlank, let utid = json["utid"]?.string?.nonBlank
    else {
      throw WireError("client_info_invalid", "The server's client_info could not be read.")
    }
    self.uid = uid
    self.utid = utid
  }

  /// The identifier that stays with a person across tenants: `uid.utid` in lower case.
  package var homeAccountID: String {
    "\(uid.normalised).\(utid.normalised)"
  }
}
