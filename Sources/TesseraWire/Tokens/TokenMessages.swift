// SPDX-License-Identifier: MIT
// The messages of the token endpoint, and scopes.

/// A request to the token endpoint.
package struct TokenRequest: Sendable {
  /// The grant.
  ///
  /// Support for another one needs a case here and its form fields below.
  package enum Grant: Sendable {
    /// RFC 6749 section 6.
    case refreshToken(Secret)
    /// RFC 8628 section 3.4.
    case deviceCode(Secret)
    /// RFC 6749 section 4.1.3, with the verifier of RFC 7636 section 4.5.
    case authorizationCode(Secret, redirectURI: String, verifier: CodeVerifier)
    /// RFC 6749 section 4.4.
    case clientCredentials
    /// RFC 7523 section 2.1, with the extension of Entra ID for a web API that calls another one for its user.
    case onBehalfOf(Secret)
  }

  /// The grant.
  package var grant: Grant
  /// The client ID of the application.
  package var clientID: String
  /// The requested scopes; an empty list omits the parameter.
  package var scopes: Scopes
  /// The `claims` parameter (OpenID Connect Core 5.5), as JSON text.
  package var claims: String?
  /// Whether to request `client_info`, which contains the home account ID (Entra).
  package var requestsClientInfo: Bool
  /// The user's Intune enrollment ID; nil omits the parameter.
  package var enrollmentID: String?
  /// The authentication of a confidential client; nil for a public client.
  package var authentication: ClientAuthentication?
  /// Additional parameters from the application.
  package var extras = ExtraParameters()

  /// Creates a token request.
  package init(
    grant: Grant, clientID: String, scopes: Scopes, claims: String? = nil,
    requestsClientInfo: Bool = false
  ) {
    self.grant = grant
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
    self.requestsClientInfo = requestsClientInfo
  }

  /// The form fields of the body.
  package var form: FormFields {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("grant_type", grant.name)
    switch grant {
    case .refreshToken(let token): form.add("refresh_token", token)
    case .deviceCode(let code): form.add("device_code", code)
    case .authorizationCode(let code, let redirectURI, let verifier):
      form.add("code", code)
      form.add("redirect_uri", redirectURI)
      form.add("code_verifier", verifier.secret)
    case .clientCredentials: break
    case .onBehalfOf(let assertion):
      form.add("assertion", assertion)
      form.add("requested_token_use", "on_behalf_of")
    }
    form.add("scope", scopes.text)
    for (name, value) in extras.tokenFields.sorted(by: { $0.key < $1.key }) {
      form.add(name, evenIfBlank: value)
    }
    form.add("claims", claims)
    if requestsClientInfo { form.add("client_info", "1") }
    form.add("microsoft_enrollment_id", enrollmentID)
    authentication?.add(to: &form)
    return form
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to tokenEndpoint: String) -> HTTPRequest {
    var request = HTTPRequest.post(extras.endpoint(tokenEndpoint), form)
    request.headers += authentication?.headers(clientID: clientID) ?? []
    return request
  }

  /// Returns the request with additional parameters.
  package func adding(_ extras: ExtraParameters) -> TokenRequest {
    var request = self
    request.extras = extras
    return request
  }
}

extension TokenRequest.Grant {
  /// The value of `grant_type`.
  package var name: String {
    switch self {
    case .refreshToken: "refresh_token"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    case .authorizationCode: "authorization_code"
    case .clientCredentials: "client_credentials"
    case .onBehalfOf: "urn:ietf:params:oauth:grant-type:jwt-bearer"
    }
  }
}

/// A request to the end-session endpoint.
package struct EndSessionRequest: Sendable {
  package var clientID: String
  /// The user name of the session's account at the provider.
  package var username: String?
  /// The registered URL that the provider redirects the browser to after the logout.
  package var postLogoutRedirectURI: String?

  /// An ID token of the session (section 2).
  ///
  /// A provider that recognizes it ends the session without confirmation by the user.
  package var idTokenHint: Secret?

  /// The maximum size of an ID token in the URL, in bytes.
  ///
  /// Servers reject longer request lines.
  package static let hintLimit = 4096

  package init(clientID: String, username: String?, postLogoutRedirectURI: String?) {
    self.clientID = clientID
    self.username = username
    self.postLogoutRedirectURI = postLogoutRedirectURI
  }

  /// Returns the URL to open.
  package func url(at endpoint: String) -> String {
    var form = FormFields()
    form.add("id_token_hint", idTokenHint)
    form.add("client_id", clientID)
    form.add("logout_hint", username)
    form.add("post_logout_redirect_uri", postLogoutRedirectURI)
    let query = form.encoded.replacing("+", with: "%20")
    return endpoint + (endpoint.contains("?") ? "&" : "?") + query
  }
}

/// A request to the revocation endpoint.
package struct RevocationRequest: Sendable {
  /// The refresh token.
  ///
  /// The server may revoke the access tokens that it issued for it as well.
  package var refreshToken: Secret
  /// The client ID that the token was issued to.
  package var clientID: String
  /// The authentication of a confidential client; nil for a public client.
  package var authentication: ClientAuthentication?

  package init(refreshToken: Secret, clientID: String) {
    self.refreshToken = refreshToken
    self.clientID = clientID
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("token", refreshToken)
    form.add("token_type_hint", "refresh_token")
    form.add("client_id", clientID)
    return .post(endpoint, form, of: clientID, authentication)
  }
}

/// A request for a device code and a user code.
package struct DeviceAuthorizationRequest: Sendable {
  /// The client ID of the application.
  package var clientID: String
  /// The requested scopes.
  package var scopes: Scopes
  /// The `claims` parameter, as JSON text.
  package var claims: String?
  /// The authentication of a confidential client (RFC 8628 section 3.1); nil for a public client.
  package var authentication: ClientAuthentication?

  /// Creates a request.
  package init(clientID: String, scopes: Scopes, claims: String? = nil) {
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("scope", scopes.text)
    form.add("claims", claims)
    return .post(endpoint, form, of: clientID, authentication)
  }
}

/// A device code, with the user code and the instructions to show to the user.
package struct DeviceAuthorization: Sendable {
  /// The code with which the application polls.
  package let deviceCode: Secret
  /// The code that the user enters.
  package let userCode: String
  /// The URL at which the user enters the code.
  package let verificationURI: String
  /// The URL that includes the code, for a QR code; nil if it is absent or may not be shown.
  package let verificationURIComplete: String?
  /// The server's instructions for the user, if any.
  package let message: String?
  /// The time at which the codes expire.
  package let expiresAt: Instant
  /// The polling interval, in seconds.
  package let intervalSeconds: Int64

  /// Parses a response.
  ///
  /// - Throws: ``WireError`` with a code that starts with `device_authorization_`.
  package init(_ json: JSONObject, receivedAt now: Instant) throws(WireError) {
    // Google and older Azure AD endpoints send `verification_url`.
    guard let deviceCode = json["device_code"]?.string?.nonBlank,
      let userCode = json["user_code"]?.string?.plain(atMost: 200).nonBlank,
      let address = json["verification_uri"]?.string?.nonBlank
        ?? json["verification_url"]?.string?.nonBlank
    else {
      throw WireError(
        "device_authorization_incomplete",
        "The device authorization response has no device_code, user_code or verification_uri."
      )
    }
    // The user will type a password at this URL, so it must be secure.
    guard WebURL(address)?.mayCarrySecrets == true else {
      throw WireError(
        "device_authorization_untrusted",
        "The verification_uri of the device authorization response is not an https URL.")
    }
    self.deviceCode = Secret(deviceCode)
    self.userCode = userCode
    verificationURI = address
    verificationURIComplete = json["verification_uri_complete"]?.string?.nonBlank.flatMap {
      WebURL($0)?.mayCarrySecrets == true ? $0 : nil
    }
    message = json["message"]?.string?.plain(atMost: 1000).nonBlank
    // RFC 8628 section 3.2 requires expires_in. Without it, MSAL assumes half an hour.
    expiresAt = now.adding(seconds: max(json["expires_in"]?.integer ?? 1800, 0))
    // RFC 8628 section 3.2: the default interval is five seconds.
    intervalSeconds = min(max(json["interval"]?.integer ?? 5, 1), 3600)
  }
}

/// The secret from which the `code_challenge` is derived.
package struct CodeVerifier: Sendable, Hashable {
  /// The `code_verifier`: 43 characters of base64url (RFC 7636 section 4.1).
  package let secret: Secret

  /// The number of random bytes in a verifier.
  package static let byteCount = 32
  /// The challenge method (RFC 7636 section 4.2).
  ///
  /// `plain` is not used: it does not protect a request that an attacker can read.
  package static let method = "S256"

  /// Creates a verifier from random bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    secret = Secret(Base64URL.encode(bytes))
  }

  /// Restores a verifier from its text.
  package init(_ secret: Secret) {
    self.secret = secret
  }

  /// The `code_challenge`, which is not secret.
  package var challenge: String {
    Base64URL.encode(Cipher.sha256(secret.reveal()))
  }
}

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

/// A list of scopes without duplicates.
///
/// Comparisons ignore order and case (MSAL for Apple normalizes both sides). The original spelling is kept.
package struct Scopes: Sendable, Hashable {
  /// The scopes in their original order and spelling.
  package let list: [String]
  /// The normalized scopes for comparisons.
  package let normalised: Set<ExactString>

  /// Creates scopes from a list, without blank and repeated ones.
  package init(_ list: some Sequence<String>) {
    var (seen, kept): (Set<ExactString>, [String]) = ([], [])
    seen.reserveCapacity(list.underestimatedCount)
    kept.reserveCapacity(list.underestimatedCount)
    for scope in list {
      let scope = scope.trimmed
      guard !scope.isEmpty, seen.insert(Scopes.normalizedForComparison(scope)).inserted else {
        continue
      }
      kept.append(scope)
    }
    self.list = kept
    normalised = seen
  }

  /// Normalizes a scope: lower case, with one slash before `.default`, where a resource that ends in a slash has two.
  private static func normalizedForComparison(_ scope: String) -> String {
    let scope = scope.normalised
    guard scope.hasSuffix("//.default") else { return scope }
    return scope.dropLast("//.default".utf8.count) + "/.default"
  }

  /// Parses a `scope` parameter, in which spaces separate the scopes (RFC 6749 section 3.3).
  package init(parsing text: String) {
    self.init(Scopes.words(of: text))
  }

  /// The `scope` parameter.
  package var text: String { list.joined(separator: " ") }

  /// Whether there are no scopes.
  package var isEmpty: Bool { list.isEmpty }

  /// The maximum number of scopes in a request or a response.
  ///
  /// Each one costs a row in the store.
  package static let limit = 1000

  /// The scopes that every sign-in requests (OpenID Connect Core 5.4 and 11).
  ///
  /// They belong to no resource.
  package static let reserved = Scopes(["openid", "profile", "offline_access"])

  /// Returns the scopes that the library adds to a request, with or without the one for a refresh token.
  package static func added(requestingRefreshToken: Bool) -> Scopes {
    requestingRefreshToken ? reserved : Scopes(["openid", "profile"])
  }

  /// These scopes without those that the library adds, or `openid` if there are no others and it is one of them.
  package var withoutAddedScopes: Scopes {
    guard intersects(.reserved) else { return self }
    let others = minus(.reserved)
    return others.isEmpty && normalised.contains("openid") ? Scopes(["openid"]) : others
  }

  /// The normalized scopes that a cached token must have, without those that every sign-in is granted.
  ///
  /// Servers do not reliably return `openid`, `profile`, `offline_access` and `email`. MSAL for Apple treats a missing
  /// `email` as granted. Requesting one of these again must not cause a network request.
  package var significant: Set<ExactString> {
    normalised.subtracting(Scopes.insignificant)
  }

  private static let insignificant = reserved.normalised.union(["email"])

  /// Returns these scopes, followed by those of another list that are missing here.
  package func union(_ other: Scopes) -> Scopes {
    Scopes(list + other.list)
  }

  /// Returns these scopes, in their original spelling, without those of another list.
  package func minus(_ other: Scopes) -> Scopes {
    Scopes(list.filter { !other.normalised.contains(Scopes.normalizedForComparison($0)) })
  }

  /// Whether a token with these scopes covers the requested ones.
  package func covers(_ requested: Scopes) -> Bool {
    requested.significant.isSubset(of: normalised)
  }

  /// Whether a cached token with these scopes may be returned for the requested ones.
  ///
  /// A request for `email` alone is for the provider itself, since it names no resource. A token for a resource must
  /// not be returned for it.
  package func satisfy(_ requested: Scopes) -> Bool {
    covers(requested)
      && (!requested.significant.isEmpty || !significant.texts.contains { $0.contains("/") })
  }

  /// Returns these scopes, in their original spelling, without those that were granted.
  package func lacking(in granted: Scopes) -> Scopes {
    let missing = significant.subtracting(granted.normalised)
    return Scopes(list.filter { missing.contains(Scopes.normalizedForComparison($0)) })
  }

  /// Whether a cached token with the scopes of a `scope` parameter may be returned for these ones; see ``satisfy(_:)``.
  package func areSatisfied(by text: String) -> Bool {
    let significant = significant.texts
    if !significant.isEmpty, significant.allSatisfy({ Scopes.hasPlainWord($0, in: text) }) {
      return true
    }
    return Scopes(parsing: text).satisfy(self)
  }

  /// Whether a `scope` parameter has a normalized scope.
  package static func contains(_ scope: String, in text: String) -> Bool {
    hasPlainWord(scope, in: text) || Scopes(parsing: text).normalised.contains(scope)
  }

  /// Returns the scopes of a `scope` parameter without duplicates, in their original order and spelling.
  package static func list(parsing text: String) -> [String] {
    let words = words(of: text)
    // Few short words are compared faster than they are hashed.
    guard words.count <= 8 else { return Scopes(words).list }
    var (list, seen): ([String], [String]) = ([], [])
    for word in words {
      let word = word.trimmed
      let normalised = normalizedForComparison(word)
      guard !word.isEmpty, !seen.contains(normalised) else { continue }
      list.append(word)
      seen.append(normalised)
    }
    return list
  }

  /// Whether a text has a normalized scope as it is, which is usual.
  ///
  /// The result is false also for a text that has it in another spelling.
  private static func hasPlainWord(_ scope: String, in text: String) -> Bool {
    // Two slashes are compared like one, but only in a scope that is not normalized yet.
    guard !scope.isEmpty, !scope.hasSuffix("//.default") else { return false }
    var (scope, text) = (scope, text)
    return scope.withUTF8 { scope in
      text.withUTF8 { text in
        let (scope, text) = (UnsafeRawBufferPointer(scope), UnsafeRawBufferPointer(text))
        var start = 0
        while start < text.count {
          let end = text.firstIndex(of: UInt8(ascii: " "), from: start) ?? text.count
          if UnsafeRawBufferPointer(rebasing: text[start..<end]).isSame(as: scope) { return true }
          start = end + 1
        }
        return false
      }
    }
  }

  /// Returns the parts of a text between spaces, without empty ones.
  private static func words(of text: String) -> [String] {
    var (words, text): ([String], String) = ([], text)
    text.withUTF8 { text in
      let text = UnsafeRawBufferPointer(text)
      var start = 0
      while start < text.count {
        let end = text.firstIndex(of: UInt8(ascii: " "), from: start) ?? text.count
        if end > start { words.append(String(decoding: text[start..<end], as: UTF8.self)) }
        start = end + 1
      }
    }
    return words
  }

  /// Whether the two lists have a scope in common.
  package func intersects(_ other: Scopes) -> Bool {
    !normalised.isDisjoint(with: other.normalised)
  }

  /// Returns the requested scopes that these granted scopes contain in a different spelling.
  ///
  /// A server replaces `/.default` with the individual scopes, and may add or remove the resource before a scope. A
  /// token must be stored with the requested spelling too. Otherwise later requests would miss it in the cache.
  package func equivalents(_ requested: Scopes) -> Scopes {
    guard !isEmpty else { return Scopes([]) }
    let short = Set(texts: normalised.texts.map(Scopes.withoutResource))
    return Scopes(
      requested.lacking(in: self).list.filter { scope in
        let scope = Scopes.normalizedForComparison(scope)
        if scope.hasSuffix("/.default") { return true }
        let name = Scopes.withoutResource(scope)
        return name == scope ? short.contains(name) : normalised.contains(name)
      })
  }

  /// Returns the last part of a scope such as `https://graph.microsoft.com/user.read`.
  private static func withoutResource(_ scope: String) -> String {
    guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return scope }
    return String(scope[scope.index(after: slash)...])
  }

  /// Returns the scope for all permissions of the application at a resource.
  ///
  /// `/.default` is appended unchanged. A resource that ends in a slash gets a double slash, which the server requires
  /// (MSAL for Apple, migration guide).
  package static func defaultScope(at resource: String) -> String {
    resource + "/.default"
  }
}

/// The `claims` request parameter.
package enum ClaimsRequest {
  /// The top-level members (OpenID Connect Core 5.5, and Entra's `access_token`).
  private static let targets = ["id_token", "access_token", "userinfo"]

  /// Parses and normalizes a `claims` parameter.
  ///
  /// - Parameter onlyKnownTargets: Whether to reject top-level members that Entra does not support. Other servers may
  ///   support more.
  /// - Throws: ``WireError`` `claims_invalid` if the text is not a JSON object, or has a rejected member.
  package static func object(
    _ text: String, onlyKnownTargets: Bool = true
  ) throws(WireError) -> JSONObject {
    guard var object = (try? JSONValue(parsing: text))?.object else {
      throw WireError("claims_invalid", "claims is not a JSON object.")
    }
    for member in object.members {
      guard !onlyKnownTargets || targets.contains(member.name) else {
        throw WireError(
          "claims_invalid",
          "claims has the unknown target \"\(member.name.plain(atMost: 100))\": use \(targets.joined(separator: ", "))."
        )
      }
      guard var claims = member.value.object else { continue }
      for claim in claims.members { claims[claim.name] = withBooleanEssential(claim.value) }
      object[member.name] = .object(claims)
    }
    return object
  }

  /// Replaces a number in `essential` with a boolean, as MSAL for Apple does.
  private static func withBooleanEssential(_ claim: JSONValue) -> JSONValue {
    guard var members = claim.object, let number = members["essential"]?.integer else {
      return claim
    }
    members["essential"] = .bool(number != 0)
    return .object(members)
  }

  /// Whether the text requests any claims.
  ///
  /// An empty object requests none.
  package static func isRequest(_ claims: String?) -> Bool {
    parameter(claims, capabilities: []) != nil
  }

  /// Returns the parameter with the client capabilities merged into it; nil if it requests nothing.
  ///
  /// Text that needs no change is returned unchanged.
  package static func parameter(_ claims: String?, capabilities: [String]) -> String? {
    let requested = claims.flatMap { try? JSONValue(parsing: $0) }?.object
    let normalized = claims.flatMap { try? object($0, onlyKnownTargets: false) } ?? JSONObject()
    guard !capabilities.isEmpty else {
      guard let claims, !normalized.members.isEmpty else { return nil }
      return requested == normalized ? claims : JSONValue.object(normalized).serialized
    }
    var merged = normalized
    var accessToken = merged["access_token"]?.object ?? JSONObject()
    accessToken["xms_cc"] = ["values": .array(capabilities.map(JSONValue.string))]
    merged["access_token"] = .object(accessToken)
    return JSONValue.object(merged).serialized
  }
}
