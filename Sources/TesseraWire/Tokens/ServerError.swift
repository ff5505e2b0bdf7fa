// SPDX-License-Identifier: MIT
// An OAuth error response (RFC 6749 section 5.2), with Entra's additional members.

/// An error response of an OAuth endpoint, with the server's own error codes and messages.
package struct ServerError: Error, Sendable, Equatable {
  /// The HTTP status.
  ///
  /// It is 200 for errors with a success status, as from Entra's device endpoint.
  package let status: Int
  /// The `error` code, such as `invalid_grant`; nil if the body is not an OAuth error.
  package let error: String?
  /// The first line of `error_description`.
  package let errorDescription: String?
  /// Entra's `suberror`, which is more specific than the error code.
  package let suberror: String?
  /// The AADSTS numbers in `error_codes`.
  package let serverCodes: [Int64]
  /// The `claims` to send with an interactive request.
  package let claims: String?
  /// The user name in `adi`, of the account that a policy applies to (MSAL for Apple).
  package let username: String?
  /// The home account ID of that account, from `client_info`.
  package let homeAccountID: String?
  /// The `correlation_id`, which the provider's support needs.
  package let correlationID: String?
  /// The `trace_id`, which the provider's support needs.
  package let traceID: String?
  /// The delay before the next request, in seconds.
  package let retryAfterSeconds: Int64?

  /// Parses a response; nil if it has status 200 and no `error`.
  ///
  /// - Parameter sent: The secrets of the request, which are removed from all members.
  package init?(_ response: HTTPResponse, sent: RequestSecrets = RequestSecrets()) {
    let json = response.json
    // A response with status 200 and an "error" member is an error.
    if response.status == 200, json?["error"]?.string?.nonBlank == nil { return nil }
    status = response.status
    func textField(_ name: String) -> String? {
      sent.removed(from: json?[name]?.string)?.plain(atMost: 200).nonBlank
    }
    error = textField("error")?.trimmed
    let description = sent.removed(from: json?["error_description"]?.string)
    errorDescription = ServerError.firstLine(description)
    suberror = textField("suberror")
    let codes = (json?["error_codes"]?.array ?? []).prefix(20).compactMap(\.integer)
    serverCodes = codes.isEmpty ? ServerError.numbers(in: description) : codes
    claims = ServerError.claims(sent.removed(from: json?["claims"]?.string))
    username = textField("adi")
    homeAccountID = sent.removed(
      from: json?["client_info"]?.string.flatMap { try? ClientInfo($0) }?.homeAccountID)
    correlationID = textField("correlation_id") ?? sent.removed(from: response.correlationID)
    traceID = textField("trace_id") ?? sent.removed(from: response.traceID)
    retryAfterSeconds = response.retryAfterSeconds
  }

  /// Parses the error of an authorization response (RFC 6749 section 4.1.2.1); nil if it has no `error`.
  ///
  /// The response arrives through a browser, without an HTTP status. Entra's numbers are only in the description.
  package init?(authorization fields: FormFields) {
    guard let error = fields["error"]?.plain(atMost: 200).nonBlank?.trimmed else { return nil }
    status = 400
    self.error = error
    let description = fields["error_description"]
    errorDescription = ServerError.firstLine(description)
    suberror = (fields["suberror"] ?? fields["error_subcode"])?.plain(atMost: 200).nonBlank
    serverCodes = ServerError.numbers(in: description)
    claims = ServerError.claims(fields["claims"])
    username = fields["adi"]?.plain(atMost: 200).nonBlank
    homeAccountID = fields["client_info"].flatMap { try? ClientInfo($0) }?.homeAccountID
    correlationID = fields["correlation_id"]?.plain(atMost: 200).nonBlank
    traceID = fields["trace_id"]?.plain(atMost: 200).nonBlank
    retryAfterSeconds = nil
  }

  /// Returns a claims challenge unchanged; nil if it is not a JSON object of at most 64 KiB.
  private static func claims(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 65_536, (try? JSONValue(parsing: text))?.object != nil
    else { return nil }
    return text
  }

  /// Creates an error from the values that a broker returns; nil without `error`.
  package init?(_ error: String?, suberror: String?, description: String?) {
    var form = FormFields()
    form.add("error", error)
    form.add("suberror", suberror)
    form.add("error_description", description)
    self.init(authorization: form)
  }

  private static func firstLine(_ description: String?) -> String? {
    description?.split(whereSeparator: \.isNewline).first
      .map { String($0).plain(atMost: 500) }?.nonBlank
  }

  /// Returns the AADSTS number at the start of a description; empty if there is none.
  package static func numbers(in description: String?) -> [Int64] {
    guard let description, description.hasPrefix("AADSTS") else { return [] }
    let digits = description.dropFirst("AADSTS".count).prefix(12).prefix {
      $0.isASCII && $0.isNumber
    }
    return Int64(digits).map { [$0] } ?? []
  }

  /// Whether the user has not yet approved the device code, and polling must continue (RFC 8628 section 3.5).
  package var isPending: Bool {
    ["authorization_pending", "slow_down"].contains(error?.lowercased())
  }

  /// Whether the server is temporarily unavailable, so that a retry may succeed.
  package var isTemporary: Bool {
    status == 408 || status == 429 || status >= 500
      || ["temporarily_unavailable", "server_error"].contains(error?.lowercased())
  }
}

extension HTTPResponse {
  /// The correlation ID in the header field that Entra sends even if the body has none.
  package var correlationID: String? { headers["client-request-id"]?.plain(atMost: 200).nonBlank }

  /// The trace ID in Entra's header field.
  package var traceID: String? { headers["x-ms-request-id"]?.plain(atMost: 200).nonBlank }
}
