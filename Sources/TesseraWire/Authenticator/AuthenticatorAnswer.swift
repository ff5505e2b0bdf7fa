// SPDX-License-Identifier: MIT
// What an answer of Microsoft Authenticator says: tokens or a refusal, and what comes beside either.

/// What an answer of Microsoft Authenticator says.
package struct AuthenticatorAnswer: Sendable {
  /// What it says.
  package enum Content: Sendable {
    /// A token response, with its members as texts.
    case tokens(JSONObject)
    /// Why there is none.
    case refusal(AuthenticatorRefusal)
  }

  /// What it says.
  package let content: Content
  /// The authority that the tokens are of.
  package let authority: String?
  /// What the next request of the application carries (`application_token`).
  package let applicationToken: Secret?
  /// A token response for something else, such as the management of the application; with a refusal as well.
  package let additionalTokens: JSONObject?
  /// Whether the device is shared by several people: no access token may be kept there.
  package let isSharedDevice: Bool

  /// Reads the fields of an answer that was checked.
  package init(_ fields: AuthenticatorFields) {
    let isSuccess = fields["broker_error_domain"] == nil && fields["success"]?.isTrue == true
    content =
      isSuccess
      ? .tokens(AuthenticatorAnswer.members(fields)) : .refusal(AuthenticatorRefusal(fields))
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
