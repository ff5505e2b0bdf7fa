// SPDX-License-Identifier: MIT
// The JSON form of a sign-in prompt, for C, Python and the command line.

package import TesseraWire

extension SignInPrompt {
  /// The document that the prompt callback receives.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("url", url)
    json.append("opens_browser", .bool(opensBrowser))
    json.append("reason", reason)
    json.append("redirect_uri", redirectURI)
    json.append("problem", problem)
    return .object(json)
  }

  /// The document "SignInPrompt" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}
