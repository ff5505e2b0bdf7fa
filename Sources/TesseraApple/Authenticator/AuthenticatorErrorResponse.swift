// SPDX-License-Identifier: MIT
// The error in a Microsoft Authenticator response: the broker's error number, the OAuth error of the server and metadata.

package import TesseraWire

/// An error that Microsoft Authenticator returned.
package struct AuthenticatorErrorResponse: Sendable, Hashable {
  /// The error number (`broker_error_code`); nil if it is absent or zero.
  package let number: Int64?
  /// The error domain of the number (`broker_error_domain`).
  package let domain: String?
  /// The OAuth `error` of the server.
  package let error: String?
  /// The `suberror` of the server.
  package let suberror: String?
  /// The first line of `error_description`.
  package let errorDescription: String?
  /// The AADSTS number at the start of the description.
  package let serverCodes: [Int64]
  /// The version of the broker (`x-broker-app-ver`).
  package let brokerVersion: String?
  /// The correlation ID of the request.
  package let correlationID: String?
  /// The HTTP status of the server's response (`http_response_code`).
  package let status: Int?
  /// The value of the server's `Retry-After` header field, in seconds; nil if it is not a number from 0 to 86,400.
  package let retryAfterSeconds: Int64?
  /// The user name of the account.
  package let username: String?
  /// The home account ID of the account.
  package let homeAccountID: String?
  /// The granted scopes.
  package let grantedScopes: Scopes
  /// The declined scopes.
  package let declinedScopes: Scopes

  /// Reads the fields of a verified response.
  package init(_ fields: AuthenticatorFields) {
    let metadata = fields["error_metadata"].flatMap { try? JSONValue(parsing: $0) }?.object
    func textField(_ name: String) -> String? { fields[name]?.plain(atMost: 200).nonBlank }
    func metadataText(_ name: String) -> String? {
      metadata?[name]?.text?.plain(atMost: 500).nonBlank
    }
    number = textField("broker_error_code").flatMap { Int64($0.trimmed) }.flatMap {
      $0 == 0 ? nil : $0
    }
    domain = textField("broker_error_domain")
    error = textField("error")?.trimmed
    suberror = textField("suberror")?.trimmed
    let description = fields["error_description"]
    errorDescription =
      description?.split(whereSeparator: \.isNewline).first
      .map { String($0).plain(atMost: 500) }?.nonBlank
    serverCodes = ServerError.numbers(in: description)
    brokerVersion = textField("x-broker-app-ver") ?? metadataText("x-broker-app-ver")
    correlationID = textField("correlation_id") ?? metadataText("correlation_id")
    status = metadata?["http_response_code"]?.integer.flatMap { Int(exactly: $0) }
    let headers = AuthenticatorErrorResponse.headers(metadata?["http_response_headers"])
    retryAfterSeconds = headers["retry-after"].flatMap { Int64($0.trimmed) }
      .flatMap { (0...86_400).contains($0) ? $0 : nil }
    username = metadataText("username")
    homeAccountID = metadataText("home_account_id")
    grantedScopes = AuthenticatorErrorResponse.scopes(
      metadata?["granted_scopes"], fields["MSIDGrantedScopesKey"])
    declinedScopes = AuthenticatorErrorResponse.scopes(
      metadata?["declined_scopes"], fields["MSIDDeclinedScopesKey"])
  }

  /// Parses scopes from a list or a string.
  ///
  /// A separate field takes precedence over the metadata (MSAL for Apple).
  private static func scopes(_ value: JSONValue?, _ field: String?) -> Scopes {
    if let field { return limited(Scopes(parsing: field)) }
    if let text = value?.string { return limited(Scopes(parsing: text)) }
    return limited(Scopes((value?.array ?? []).prefix(Scopes.limit).compactMap(\.string)))
  }

  private static func limited(_ scopes: Scopes) -> Scopes {
    Scopes(
      scopes.list.prefix(Scopes.limit).map { $0.plain(atMost: 500) })
  }

  /// Returns the header fields by lower-case name.
  ///
  /// Older brokers send an object, others a form-encoded string.
  private static func headers(_ value: JSONValue?) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in AuthenticatorFields(decoding: value?.string ?? "").values {
      headers[name.lowercased()] = value
    }
    for member in value?.object?.members ?? [] {
      headers[member.name.lowercased()] = member.value.text
    }
    return headers
  }
}
