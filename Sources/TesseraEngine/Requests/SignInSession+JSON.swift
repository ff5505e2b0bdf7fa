// SPDX-License-Identifier: MIT
// The JSON form of a sign-in in progress, for C, Python and the command line.

public import TesseraWire

extension SignInSession {
  /// The document "SignInSession" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("url", url)
    json.append("state", state.reveal())
    json.append("expires_on", .integer(expiresOn.secondsSince1970))
    json.append("redirect_uri", redirectURI)
    return .object(json)
  }

  /// The document "SignInSession" of docs/c-interface.md as JSON text.
  ///
  /// It contains ``state``.
  public var jsonDocument: Secret { Secret(json.serialized) }
}
