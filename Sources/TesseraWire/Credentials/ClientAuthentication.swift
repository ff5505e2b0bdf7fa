// SPDX-License-Identifier: MIT
// The authentication of requests of confidential clients.

/// The authentication of a confidential client at the token endpoint.
package enum ClientAuthentication: Sendable, Equatable {
  /// The client secret in the body (`client_secret_post`).
  case secretInBody(Secret)
  /// The client secret in the header field `Authorization` (`client_secret_basic`).
  case secretInHeader(Secret)
  /// An assertion (RFC 7523 section 2.2), such as ``ClientAssertion`` or a token of another issuer.
  case clientAssertion(Secret)
  /// The certificate of the TLS connection (RFC 8705 section 2).
  case certificateOfConnection

  /// The value of `client_assertion_type`.
  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// Adds the form fields.
  func add(to form: inout FormFields) {
    switch self {
    case .secretInBody(let secret): form.add("client_secret", secret)
    case .clientAssertion(let assertion):
      form.add("client_assertion_type", ClientAuthentication.assertionType)
      form.add("client_assertion", assertion)
    case .secretInHeader, .certificateOfConnection: break
    }
  }

  /// Returns the additional header fields.
  func headers(clientID: String) -> [HTTPHeader] {
    guard case .secretInHeader(let secret) = self else { return [] }
    // RFC 6749 section 2.3.1: both are form-encoded before they are joined.
    let pair = [clientID, secret.reveal()].map(FormFields.escape).joined(separator: ":")
    return [HTTPHeader("Authorization", "Basic \(Base64URL.encodeStandard(Array(pair.utf8)))")]
  }
}

extension HTTPRequest {
  /// Returns a request with a form and the authentication of a confidential client, if there is one.
  package static func post(
    _ url: String, _ form: FormFields, of clientID: String,
    _ authentication: ClientAuthentication?
  ) -> HTTPRequest {
    guard let authentication else { return .post(url, form) }
    var form = form
    authentication.add(to: &form)
    var request = HTTPRequest.post(url, form)
    request.headers += authentication.headers(clientID: clientID)
    return request
  }
}
