// SPDX-License-Identifier: MIT
// The credential with which a client authenticates in a request.

import TesseraWire

/// The credential in a request (RFC 6749 section 2.3, RFC 7521 section 4.2).
enum PresentedCredential: Sendable, Equatable {
  case none
  case secretInHeader(String)
  case secretInBody(String)
  case assertion(String)

  /// Entra's claim `azpacr`: 0 for a public client, 1 for a secret, 2 for a certificate.
  var authenticationClass: Int {
    switch self {
    case .none: 0
    case .secretInHeader, .secretInBody: 1
    case .assertion: 2
    }
  }

  /// The value of `client_assertion_type`.
  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// The name of the authentication method (OpenID Connect Core section 9).
  var method: String {
    switch self {
    case .none: "none"
    case .secretInHeader: "client_secret_basic"
    case .secretInBody: "client_secret_post"
    case .assertion: "private_key_jwt"
    }
  }
}

/// The client of a request, before its authentication.
struct PresentedClient: Sendable {
  /// The client ID; nil if the request has none.
  let clientID: String?
  /// The credential.
  let credential: PresentedCredential

  /// Reads the client ID and the credential.
  ///
  /// - Throws: `invalid_request` for more than one credential, and for different client IDs; `invalid_client` for a
  ///   malformed header field.
  init(_ request: IncomingRequest, _ form: FormFields) throws(ErrorResponse) {
    let header = try BasicCredentials(request.headers["Authorization"])
    var found: [PresentedCredential] = []
    if let header { found.append(.secretInHeader(header.secret)) }
    if let secret = form["client_secret"]?.nonBlank { found.append(.secretInBody(secret)) }
    if let assertion = form["client_assertion"]?.nonBlank {
      guard let type = form["client_assertion_type"]?.nonBlank else {
        throw .missing("client_assertion_type")
      }
      guard type == PresentedCredential.assertionType else { throw .unsupportedAssertionType }
      found.append(.assertion(assertion))
    }
    guard found.count <= 1 else { throw .severalCredentials }
    credential = found.first ?? .none
    let named = [form["client_id"]?.nonBlank, header?.clientID].compactMap(\.self)
    guard Set(named).count <= 1 else { throw .differentClientIDs }
    clientID = named.first ?? PresentedClient.subject(of: credential)
  }

  /// Returns the subject of an assertion, which may replace `client_id` (RFC 7521 section 4.2).
  private static func subject(of credential: PresentedCredential) -> String? {
    guard case .assertion(let text) = credential else { return nil }
    return (try? JSONWebToken(Secret(text)))?.claims["sub"]?.string
  }
}

/// The credentials of Basic authentication.
struct BasicCredentials {
  let clientID: String
  let secret: String

  /// Parses a header field; nil if it is absent or has another scheme.
  ///
  /// Both values are encoded like those of a form (RFC 6749 section 2.3.1).
  ///
  /// - Throws: `invalid_client` if it is malformed.
  init?(_ field: String?) throws(ErrorResponse) {
    guard let parts = field?.split(separator: " ", maxSplits: 1),
      parts.first?.lowercased() == "basic"
    else { return nil }
    guard let encoded = parts.dropFirst().first,
      let bytes = Base64URL.decodeAnyAlphabet(String(encoded).trimmed),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":"),
      colon != text.startIndex
    else { throw .malformedAuthorization }
    clientID = FormFields.unescape(text[..<colon])
    secret = FormFields.unescape(text[text.index(after: colon)...])
  }
}
