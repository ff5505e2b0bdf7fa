// SPDX-License-Identifier: MIT
// The token response of the single sign-on extension, before its tokens are validated.

package import TesseraWire

/// Unvalidated tokens or a server error from the extension (MSAL for Apple, `MSIDBrokerOperationTokenResponse`).
///
/// The application validates the tokens against its request before it stores them.
public struct SSOExtensionTokenResponse: Sendable, Hashable {
  /// The URL of the authority that issued the tokens, in the user's cloud; nil for an error.
  public let authority: String?
  /// The kind of authority.
  public let provider: SSOExtensionProvider
  /// The granted scopes; nil if they are the requested ones.
  public let scopes: [String]?
  /// Whether the response contains an error of the server.
  public let isError: Bool
  /// The data about the device's onboarding, as JSON text.
  public let onboardingBlob: String?
  private let response: Secret
  private let additional: Secret?

  init(_ fields: JSONObject, hasSucceeded: Bool) throws(WireError) {
    guard
      let provider = fields["provider_type"]?.string.flatMap(SSOExtensionProvider.init(rawValue:))
    else { throw .invalidSSOExtensionResponse("provider_type") }
    self.provider = provider
    authority = hasSucceeded ? try fields.requiredText("authority") : nil
    isError = !hasSucceeded
    scopes = fields["scope"]?.string?.nonBlank.map { Scopes(parsing: $0).list }
    onboardingBlob = fields["onboardingBlob"]?.string?.nonBlank
    let additional = fields["additional_token_reponse"] ?? .null
    guard additional == .null || additional.string != nil else {
      throw .invalidSSOExtensionResponse("additional_token_reponse")
    }
    // Ignore an additional response that is invalid, so that the tokens are not lost (MSAL for Apple).
    self.additional = additional.embeddedObject.map(SSOExtensionTokenResponse.text)
    response = SSOExtensionTokenResponse.text(SSOExtensionTokenResponse.readable(fields))
  }

  /// The tokens or the error, in the form of a token endpoint response.
  package var tokenResponse: JSONObject { object(response) }

  /// The additional token response for another resource, if any.
  package var additionalResponse: JSONObject? { additional.map(object) }

  /// Whether there are tokens for another resource.
  public var hasAdditionalTokens: Bool { additionalResponse != nil }

  private func object(_ text: Secret) -> JSONObject {
    (try? JSONValue(parsing: text.reveal()))?.object ?? JSONObject()
  }

  private static func text(_ json: JSONObject) -> Secret {
    Secret(String(decoding: JSONValue.object(json).bytes, as: UTF8.self))
  }

  /// Returns the members of the token response, with the error description percent-decoded.
  private static func readable(_ fields: JSONObject) -> JSONObject {
    var response = JSONObject()
    for member in fields.members where names.contains(member.name) {
      response[member.name] = member.value
    }
    if let description = fields["error_description"]?.string {
      response["error_description"] = .string(FormFields.unescape(description))
    }
    // A header field cannot contain a list, so it is sent as JSON text.
    if let codes = fields["error_codes"]?.string, let list = (try? JSONValue(parsing: codes))?.array
    {
      response["error_codes"] = .array(list)
    }
    return response
  }

  /// The members of a token endpoint response (MSAL for Apple, `MSIDAADTokenResponse`).
  private static let names: Set<String> = [
    "access_token", "refresh_token", "id_token", "token_type", "scope", "expires_in", "expires_on",
    "ext_expires_in", "ext_expires_on", "refresh_in", "refresh_on", "client_info", "client_id",
    "foci", "spe_info", "adi", "error", "suberror", "error_description", "error_codes", "claims",
    "correlation_id", "trace_id",
  ]
}
