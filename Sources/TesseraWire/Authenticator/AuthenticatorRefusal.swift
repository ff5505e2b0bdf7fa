// SPDX-License-Identifier: MIT
// Why Microsoft Authenticator has no tokens: its number, the words of the server, and what it knows about both.

/// A refusal of Microsoft Authenticator.
package struct AuthenticatorRefusal: Sendable, Hashable {
  /// The number (`broker_error_code`); nil where there is none, or zero.
  package let number: Int64?
  /// Whose number it is (`broker_error_domain`).
  package let domain: String?
  /// `error` of the server.
  package let error: String?
  /// `suberror` of the server.
  package let suberror: String?
  /// The first line of `error_description`.
  package let errorDescription: String?
  /// The AADSTS number at the beginning of the description.
  package let serverCodes: [Int64]
  /// The version of the broker (`x-broker-app-ver`).
  package let brokerVersion: String?
  /// The id of the exchange.
  package let correlationID: String?
  /// The status of the server's answer (`http_response_code`).
  package let status: Int?
  /// Seconds after which trying again makes sense, out of the header fields of the server's answer.
  package let retryAfterSeconds: Int64?
  /// The name of the person.
  package let username: String?
  /// The account of the person.
  package let homeAccountID: String?
  /// What was granted.
  package let grantedScopes: Scopes
  /// What was declined.
  package let declinedScopes: Scopes

  /// Reads the fields of an answer.
  package init(_ fields: AuthenticatorFields) {
    let metadata = fields["error_metadata"].flatMap { try? JSONValue(parsing: $0) }?.object
    func words(_ name: String) -> String? { fields[name]?.plain(atMost: 200).nonBlank }
    func known(_ name: String) -> String? {
      metadata?[name]?.text?.plain(atMost: 500).nonBlank
    }
    number = words("broker_error_code").flatMap { Int64($0.trimmed) }.flatMap { $0 == 0 ? nil : $0 }
    domain = words("broker_error_domain")
    error = words("error")?.trimmed
    suberror = words("suberror")?.trimmed
    let description = fields["error_description"]
    errorDescription =
      description?.split(whereSeparator: \.isNewline).first
      .map { String($0).plain(atMost: 500) }?.nonBlank
    serverCodes = ServerError.numbers(in: description)
    brokerVersion = words("x-broker-app-ver") ?? known("x-broker-app-ver")
    correlationID = words("correlation_id") ?? known("correlation_id")
    status = metadata?["http_response_code"]?.integer.flatMap { Int(exactly: $0) }
    let headers = AuthenticatorRefusal.headers(metadata?["http_response_headers"])
    retryAfterSeconds = headers["retry-after"].flatMap { Int64($0.trimmed) }
      .flatMap { (0...86_400).contains($0) ? $0 : nil }
    username = known("username")
    homeAccountID = known("home_account_id")
    grantedScopes = AuthenticatorRefusal.scopes(
      metadata?["granted_scopes"], fields["MSIDGrantedScopesKey"])
    declinedScopes = AuthenticatorRefusal.scopes(
      metadata?["declined_scopes"], fields["MSIDDeclinedScopesKey"])
  }

  /// Scopes as a list or as one text; what stands beside the metadata comes first (MSAL for Apple).
  private static func scopes(_ value: JSONValue?, _ beside: String?) -> Scopes {
    if let beside { return limited(Scopes(parsing: beside)) }
    if let text = value?.string { return limited(Scopes(parsing: text)) }
    return limited(Scopes((value?.array ?? []).prefix(Scopes.limit).compactMap(\.string)))
  }

  private static func limited(_ scopes: Scopes) -> Scopes {
    Scopes(
      scopes.list.prefix(Scopes.limit).map { $0.plain(atMost: 500) })
  }

  /// Header fields, which older brokers send as an object and others as a form; by their names in lower case.
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
