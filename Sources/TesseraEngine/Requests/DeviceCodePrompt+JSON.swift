// SPDX-License-Identifier: MIT
// The JSON form of a device code prompt, for C, Python and the command line.

package import TesseraWire

extension DeviceCodePrompt {
  /// The document that the prompt callback receives.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("user_code", userCode)
    json.append("verification_uri", verificationURI)
    json.append("verification_uri_complete", verificationURIComplete)
    json.append("message", message)
    json.append("expires_on", .integer(expiresOn.secondsSince1970))
    json.append("interval_seconds", .integer(interval.wholeSeconds))
    return .object(json)
  }

  /// The document "DeviceCodePrompt" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}
