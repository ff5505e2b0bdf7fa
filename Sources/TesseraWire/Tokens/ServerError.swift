// SPDX-License-Identifier: MIT
// What a server says when it says no (RFC 6749 section 5.2, and what Entra adds).

/// An error answer of an OAuth endpoint, in the server's own words.
package struct ServerError: Error, Sendable, Equatable {
  /// The HTTP status; 200 when an error came with a success status, as Entra's device endpoint does.
  package let status: Int
  /// `error`, such as `invalid_grant`; nil when the body was not an OAuth error.
  package let error: String?
  /// The first line of `error_description`.
  package let errorDescription: String?
  /// `suberror`, Entra's finer reason.
  package let suberror: String?
  /// `error_codes`, the AADSTS numbers.
  package let serverCodes: [Int64]
  /// `claims` to pass on to an interactive request.
  package let claims: String?
  /// `adi`, the name of the person whom a policy concerns (MSAL for Apple).
  package let username: String?
  /// The account that `client_info` names, of the same person.
  package let homeAccountID: String?
  /// `correlation_id`, which the server's support asks for.
  package let correlationID: String?
  /// `trace_id`, which the server's support asks for.
  package let traceID: String?
  /// How long to stay away, in seconds.
  package let retryAfterSeconds: Int64?

  /// Parses an answer; nil if it is a success.
  ///
  /// - Parameter sent: the secrets of the request, which are removed from all texts of the answer.
  package init?(_ response: HTTPResponse, sent: SentSecrets = SentSecrets()) {
    let json = response.json
    // A status of success with an "error" member is an error all the same.
    if response.status == 200, json?["error"]?.string?.nonBlank == nil { return nil }
    status = response.status
    func words(_ name: String) -> String? {
      sent.removed(from: json?[name]?.string)?.plain(atMost: 200).nonBlank
    }
    error = words("error")?.trimmed
    let description = sent.removed(from: json?["error_description"]?.string)
    errorDescription = ServerError.firstLine(description)
    suberror = words("suberror")
    let codes = (json?["error_codes"]?.array ?? []).prefix(20).compactMap(\.integer)
    serverCodes = codes.isEmpty ? ServerError.numbers(in: description) : codes
    claims = ServerError.claims(sent.removed(from: json?["claims"]?.string))
    username = words("adi")
    homeAccountID = sent.removed(
      from: json?["client_info"]?.string.flatMap { try? ClientInfo($0) }?.homeAccountID)
    correlationID = words("correlation_id") ?? sent.removed(from: response.correlationID)
    traceID = words("trace_id") ?? sent.removed(from: response.traceID)
    retryAfterSeconds = response.retryAfterSeconds
  }

  /// Reads the error of an authorization response (RFC 6749 section 4.1.2.1); nil if it has none.
  ///
  /// A browser brings it: there is no status, and the numbers of Entra stand in its description only.
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

  /// Returns the text of a claims challenge, unchanged; nil if it is not a JSON object of at most 64 KiB.
  private static func claims(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 65_536, (try? JSONValue(parsing: text))?.object != nil
    else { return nil }
    return text
  }

  /// An error whose words a broker hands on one by one; nil if it has none.
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

  /// The number behind `AADSTS` at the beginning of a description.
  package static func numbers(in description: String?) -> [Int64] {
    guard let description, description.hasPrefix("AADSTS") else { return [] }
    let digits = description.dropFirst("AADSTS".count).prefix(12).prefix {
      $0.isASCII && $0.isNumber
    }
    return Int64(digits).map { [$0] } ?? []
  }

  /// Whether a device code waits for its person, and all is in order (RFC 8628 section 3.5).
  package var isPending: Bool {
    ["authorization_pending", "slow_down"].contains(error?.lowercased())
  }

  /// Whether the server itself is in trouble, so that the same request may succeed later.
  package var isTemporary: Bool {
    status == 408 || status == 429 || status >= 500
      || ["temporarily_unavailable", "server_error"].contains(error?.lowercased())
  }
}

extension HTTPResponse {
  /// The correlation id that Entra says in a header, also where the body is none of its own.
  package var correlationID: String? { headers["client-request-id"]?.plain(atMost: 200).nonBlank }

  /// The trace id that Entra says in a header.
  package var traceID: String? { headers["x-ms-request-id"]?.plain(atMost: 200).nonBlank }
}
