// SPDX-License-Identifier: MIT
// Tokens that the single sign-on extension answers with, or why there are none; nobody has checked them yet.

/// Tokens of the extension, or a server's refusal (MSAL for Apple, `MSIDBrokerOperationTokenResponse`).
///
/// They are nobody's word but the sender's: an application checks them against what it asked for, and stores them.
public struct SSOExtensionTokenAnswer: Sendable, Hashable {
  /// The address of the authority that gave the tokens, in the cloud of the person; nil for a refusal.
  public let authority: String?
  /// The kind of the authority.
  public let provider: SSOExtensionProvider
  /// The scopes that were granted; nil for those that were asked for.
  public let scopes: [String]?
  /// Whether the answer is a server's refusal.
  public let isRefusal: Bool
  /// What the onboarding of the device has noted, as JSON text.
  public let onboardingBlob: String?
  private let response: Secret
  private let additional: Secret?

  init(_ fields: JSONObject, hasSucceeded: Bool) throws(WireError) {
    guard
      let provider = fields["provider_type"]?.string.flatMap(SSOExtensionProvider.init(rawValue:))
    else { throw .noSSOExtensionResponse("provider_type") }
    self.provider = provider
    authority = hasSucceeded ? try fields.requiredText("authority") : nil
    isRefusal = !hasSucceeded
    scopes = fields["scope"]?.string?.nonBlank.map { Scopes(parsing: $0).list }
    onboardingBlob = fields["onboardingBlob"]?.string?.nonBlank
    let additional = fields["additional_token_reponse"] ?? .null
    guard additional == .null || additional.string != nil else {
      throw .noSSOExtensionResponse("additional_token_reponse")
    }
    // What cannot be read of it is no reason to lose the tokens that can be (MSAL for Apple).
    self.additional = additional.objectInText.map(SSOExtensionTokenAnswer.text)
    response = SSOExtensionTokenAnswer.text(SSOExtensionTokenAnswer.readable(fields))
  }

  /// The token response, or the refusal, as a token endpoint would have sent it.
  package var tokenResponse: JSONObject { object(response) }

  /// A second token response, for another resource; nil for none.
  package var additionalResponse: JSONObject? { additional.map(object) }

  private func object(_ text: Secret) -> JSONObject {
    (try? JSONValue(parsing: text.reveal()))?.object ?? JSONObject()
  }

  private static func text(_ json: JSONObject) -> Secret {
    Secret(String(decoding: JSONValue.object(json).bytes, as: UTF8.self))
  }

  /// The members of a token response, without those of the envelope; a description comes percent-encoded.
  private static func readable(_ fields: JSONObject) -> JSONObject {
    var response = JSONObject()
    for member in fields.members where names.contains(member.name) {
      response[member.name] = member.value
    }
    if let description = fields["error_description"]?.string {
      response["error_description"] = .string(FormFields.unescape(description))
    }
    // A list does not fit into a header field.
    if let codes = fields["error_codes"]?.string, let list = (try? JSONValue(parsing: codes))?.array
    {
      response["error_codes"] = .array(list)
    }
    return response
  }

  /// The members that are the server's (MSAL for Apple, `MSIDAADTokenResponse`).
  private static let names: Set<String> = [
    "access_token", "refresh_token", "id_token", "token_type", "scope", "expires_in", "expires_on",
    "ext_expires_in", "ext_expires_on", "refresh_in", "refresh_on", "client_info", "client_id",
    "foci", "spe_info", "adi", "error", "suberror", "error_description", "error_codes", "claims",
    "correlation_id", "trace_id",
  ]
}
