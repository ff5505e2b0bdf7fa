// SPDX-License-Identifier: MIT
// The contents of a verified Microsoft Authenticator response: tokens or an error, with the additional fields of both.

package import TesseraWire

/// The contents of a Microsoft Authenticator response.
package struct AuthenticatorResult: Sendable {
  /// The outcome of the request.
  package enum Content: Sendable {
    /// A token response; all members are strings.
    case tokens(JSONObject)
    /// The error that the broker returned.
    case errorResponse(AuthenticatorErrorResponse)
  }

  /// The outcome of the request.
  package let content: Content
  /// The authority that issued the tokens.
  package let authority: String?
  /// The token to send with the application's next request (`application_token`).
  package let applicationToken: Secret?
  /// A token response for another resource, such as device management.
  ///
  /// A response with an error can have one as well.
  package let additionalTokens: JSONObject?
  /// Whether several users share the device.
  ///
  /// Access tokens must not be stored on such a device.
  package let isSharedDevice: Bool

  /// Reads the fields of a verified response.
  package init(_ fields: AuthenticatorFields) {
    let isSuccess = fields["broker_error_domain"] == nil && fields["success"]?.isTrue == true
    content =
      isSuccess
      ? .tokens(AuthenticatorResult.members(fields))
      : .errorResponse(AuthenticatorErrorResponse(fields))
    authority = fields["authority"]
    applicationToken = fields.secret("application_token")
    additionalTokens =
      fields["additional_tokens"].flatMap { try? JSONValue(parsing: $0) }?.object
    isSharedDevice = fields["device_mode"]?.normalised == "shared"
  }

  private static func members(_ fields: AuthenticatorFields) -> JSONObject {
    var json = JSONObject()
    for (name, value) in fields.values.sorted(by: { $0.key < $1.key }) {
      json.append(name, .string(value))
    }
    return json
  }
}
