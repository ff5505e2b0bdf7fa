// SPDX-License-Identifier: MIT
// Responses of the token endpoint.

/// A successful response of the token endpoint.
package struct TokenResponse: Sendable {
  /// The access token; nil if only an ID token was requested.
  package let accessToken: Secret?
  /// The type of the access token; `Bearer` if the server omits it.
  package let tokenType: String
  /// The new refresh token; nil if the previous one remains valid (RFC 6749 section 6).
  package let refreshToken: Secret?
  /// The encoded ID token.
  package let idToken: Secret?
  /// The granted scopes; nil if they are the requested ones (RFC 6749 section 5.1).
  package let scopes: Scopes?
  /// The encoded `client_info`, which contains the home account ID (Entra).
  package var clientInfo: String?
  /// The ID of the application family that shares the refresh token; Entra only.
  package let familyID: String?
  /// The time at which the access token expires.
  package let expiresAt: Instant
  /// The time until which the access token may be used during an outage; nil if the server does not allow it.
  package let extendedExpiresAt: Instant?
  /// The time from which the server recommends a refresh.
  package let refreshAt: Instant?

  /// Parses a response.
  ///
  /// Times are converted from the server's clock to this machine's.
  ///
  /// - Throws: ``WireError`` with a code that starts with `token_response_`.
  package init(_ json: JSONObject, received: ResponseTime) throws(WireError) {
    accessToken = try TokenResponse.token(json, "access_token")
    idToken = try TokenResponse.token(json, "id_token")
    guard accessToken != nil || idToken != nil else {
      throw WireError(
        "token_response_incomplete", "The token response has no token.")
    }
    tokenType = json["token_type"]?.string?.nonBlank ?? "Bearer"
    refreshToken = try TokenResponse.token(json, "refresh_token")
    scopes = json["scope"]?.string?.nonBlank.map { Scopes(parsing: $0) }
    guard (scopes?.list.count ?? 0) <= Scopes.limit else {
      throw WireError(
        "token_response_invalid", "The token response has more than \(Scopes.limit) scopes.")
    }
    clientInfo = json["client_info"]?.string?.nonBlank
    familyID = json["foci"]?.text?.nonBlank
    // MSAL for Apple: expires_on, else now + expires_in, else now + 3600. Every member may be a number or a string. A
    // lifetime of zero or less is valid: the token expires immediately.
    let isOver = json["expires_in"]?.integer.map { $0 <= 0 } ?? false
    expiresAt =
      TokenResponse.time(in: json, at: "expires_on", after: "expires_in", received)
      ?? received.at.adding(seconds: isOver ? 0 : 3600)
    extendedExpiresAt = TokenResponse.time(
      in: json, at: "ext_expires_on", after: "ext_expires_in", received)
    refreshAt = TokenResponse.time(in: json, at: "refresh_on", after: "refresh_in", received)
  }

  /// Returns a token member; nil if it is absent or blank.
  ///
  /// - Throws: ``WireError`` `token_response_invalid` if it is not printable ASCII, since it is sent in a header field
  ///   (RFC 6749 appendix A.12, A.17: VSCHAR).
  package static func token(_ json: JSONObject, _ name: String) throws(WireError) -> Secret? {
    guard let text = json[name]?.string?.nonBlank else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw WireError(
        "token_response_invalid", "The \(name) of the token response contains invalid characters.")
    }
    return Secret(text)
  }

  /// Returns an absolute time, or else a relative one; nil without either.
  ///
  /// Zero counts as absent.
  private static func time(
    in json: JSONObject, at absoluteMember: String, after delay: String, _ received: ResponseTime
  ) -> Instant? {
    let delay = json[delay]?.integer.flatMap { $0 > 0 ? received.at.adding(seconds: $0) : nil }
    guard let seconds = json[absoluteMember]?.integer, seconds > 0 else { return delay }
    let end = Instant(secondsSince1970: seconds)
    guard received.serverAheadSeconds != 0 else { return end }
    // A relative time needs no clock conversion.
    if let delay { return delay }
    let shifted = end.adding(seconds: 0 - received.serverAheadSeconds)
    // A proxy with a wrong clock may have sent the Date. Limit the lifetime: a token with a lifetime of years would never be
    // refreshed.
    return shifted.seconds(since: received.at) > maximumLifetimeSeconds
      ? min(end, shifted) : shifted
  }

  /// The lifetime above which the conversion from the server's clock must not extend it: one year, in seconds.
  private static let maximumLifetimeSeconds: Int64 = 31_622_400
}

extension TokenResponse {
  /// Returns the response without a refresh token that was issued to another client, such as the broker itself.
  ///
  /// The application must not redeem such a token.
  package static func own(_ json: JSONObject, of clientID: String) -> JSONObject {
    guard let owner = json["client_id"]?.string?.nonBlank, owner.normalised != clientID.normalised
    else { return json }
    var json = json
    json["refresh_token"] = nil
    json["foci"] = nil
    return json
  }

  /// Whether several users share the device of the response.
  package static func isFromSharedDevice(_ json: JSONObject) -> Bool {
    json["device_mode"]?.string?.normalised == "shared"
  }
}

/// The claims of an ID token (OpenID Connect Core 2), by name.
///
/// ```swift
/// let objectID = token.idTokenClaims?.string("oid")
/// ```
public struct TokenClaims: Sendable, Hashable {
  /// The claims as a JSON object.
  package let members: JSONObject

  /// Creates the claims of a token.
  package init(_ members: JSONObject) {
    self.members = members
  }

  /// Parses a JSON object.
  ///
  /// Returns nil for any other text.
  public init?(json: String) {
    guard let members = (try? JSONValue(parsing: Array(json.utf8)))?.object else { return nil }
    self.members = members
  }

  /// The claims as JSON text.
  public var json: String { JSONValue.object(members).serialized }

  /// The names of the claims, in the order of the token.
  public var names: [String] { members.members.map(\.name) }

  /// Returns the claim with a name as text; nil if it is absent or not a string.
  public func string(_ name: String) -> String? { members[name]?.string }

  /// Returns the claim with a name as an integer; nil if it is absent or not a number.
  ///
  /// A fraction is truncated.
  public func integer(_ name: String) -> Int64? {
    guard case .number? = members[name] else { return nil }
    return members[name]?.integer
  }

  /// Returns the claim with a name as a Boolean; nil if it is absent or not a Boolean.
  public func bool(_ name: String) -> Bool? {
    guard case .bool(let value)? = members[name] else { return nil }
    return value
  }

  /// Returns the strings of a claim, such as `groups`; empty if it is absent.
  ///
  /// A single string counts as a list of one. Elements that are not strings are omitted.
  public func strings(_ name: String) -> [String] {
    switch members[name] {
    case .string(let text)?: [text]
    case .array(let elements)?: elements.compactMap(\.string)
    default: []
    }
  }
}

extension TokenClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the claims, without their values, which identify the user.
  public var description: String { "TokenClaims(\(names.joined(separator: ", ")))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the names of the claims.
  public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

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

/// The telemetry of the current token request (`x-client-current-telemetry`).
package struct CurrentTelemetry: Sendable, Equatable {
  /// The reason for the request.
  package enum RefreshType: Int, Sendable {
    /// A sign-in or a claims challenge.
    case none = 0
    /// The caller forced a refresh.
    case forced = 1
    /// The cache contains no token.
    case missing = 2
    /// The cached token has expired.
    case expired = 3
    /// The cached token is still valid, but due for a refresh.
    case proactive = 4
  }

  /// The ID of the API function.
  package var apiID: Int
  package var refreshType: RefreshType

  package init(apiID: Int, refreshType: RefreshType) {
    self.apiID = apiID
    self.refreshType = refreshType
  }

  /// The value of the header field.
  ///
  /// It never reaches Entra's limit of 100 bytes.
  package var text: String { "\(schema)|\(apiID),\(refreshType.rawValue)|" }
}

/// The telemetry of earlier calls (`x-client-last-telemetry`).
package struct LastTelemetry: Sendable {
  /// A failed token request.
  package struct Failure: Sendable, Equatable {
    package let apiID: Int
    /// The correlation ID; empty if it contains characters that the format reserves.
    package let correlationID: String
    package let error: String

    package init(apiID: Int, correlationID: String, error: String) {
      self.apiID = apiID
      self.correlationID = Failure.validated(correlationID)
      self.error = Failure.validated(error)
    }

    /// Returns the text if it fits the format: at most 64 printable ASCII characters, without separators.
    ///
    /// Otherwise an empty string.
    private static func validated(_ text: String) -> String {
      let isValid =
        text.utf8.count <= 64
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",|".utf8.contains($0) }
      return isValid ? text : ""
    }
  }

  /// The maximum size of the value that Entra accepts, in bytes.
  package static let limit = 350

  /// The number of cache hits since the last request to the server.
  package var silentSuccesses: Int
  /// The failures since then, newest last.
  package var failures: [Failure]
  /// Whether an earlier request could not contain all failures.
  package var hasOverflowed: Bool

  package init(silentSuccesses: Int, failures: [Failure], hasOverflowed: Bool = false) {
    self.silentSuccesses = silentSuccesses
    self.failures = failures
    self.hasOverflowed = hasOverflowed
  }

  /// The number of failures that fit into the header field, newest first.
  package var reportedFailureCount: Int {
    var count = 0
    while count < failures.count, text(failureCount: count + 1).utf8.count <= LastTelemetry.limit {
      count += 1
    }
    return count
  }

  /// The value of the header field.
  package var text: String { text(failureCount: reportedFailureCount) }

  private func text(failureCount count: Int) -> String {
    let reported = failures.suffix(count)
    let calls = reported.map { "\($0.apiID),\($0.correlationID)" }.joined(separator: ",")
    let errors = reported.map(\.error).joined(separator: ",")
    return "\(schema)|\(silentSuccesses)|\(calls)|\(errors)|\(hasOverflowed ? "1" : "")"
  }
}

private let schema = 4
