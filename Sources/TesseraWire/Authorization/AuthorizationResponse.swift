// SPDX-License-Identifier: MIT
// The authorization response (RFC 6749 section 4.1.2): its state is checked before anything else of it is read.

/// What the answer to an authorization request must show.
package struct AuthorizationExpectation: Sendable {
  /// The `state` of the request.
  package var state: Secret
  /// The redirect URI of the request.
  package var redirectURI: String
  /// The issuer that was asked; `{tenantid}` in it stands for any tenant.
  package var issuer: String
  /// Whether the provider says that it always names itself (RFC 9207 section 3).
  package var requiresIssuer = false
  /// Whether the answer may come to `msauth://code/…`, as after a certificate on another device (Microsoft).
  package var acceptsCertificateAnswer = false

  package init(state: Secret, redirectURI: String, issuer: String) {
    self.state = state
    self.redirectURI = redirectURI
    self.issuer = issuer
  }
}

/// The answer of an authorization endpoint.
package struct AuthorizationResponse: Sendable {
  /// What it says.
  package enum Content: Sendable {
    /// The code to redeem.
    case code(Secret)
    /// Why there is none.
    case refusal(ServerError)
  }

  /// What it says.
  package let content: Content
  /// The redirect URI with which the code is redeemed, where it is another one than the request's.
  package let redirectURI: String?
  /// The host of the cloud that the account belongs to, as Entra names it; not to be believed without a check.
  package let cloudHost: String?
  /// The account that `client_info` names; the tokens alone say who it really is.
  package let homeAccountID: String?

  /// The longest answer that is read; codes are hundreds of times shorter.
  package static let limit = 65_536
  /// An answer has no more fields than that.
  private static let fieldLimit = 100

  /// Reads an answer.
  ///
  /// - Throws: ``WireError`` with a code that begins with `authorization_`: `…state` for the answer to another request,
  ///   then `…elsewhere`, `…issuer`, `…repeated`, `…incomplete`, `…ambiguous`, `…code`, and for all of them
  ///   `…too_large`.
  package init(
    _ answer: AuthorizationAnswer, to expected: AuthorizationExpectation
  ) throws(WireError) {
    let fields = try AuthorizationResponse.fields(of: answer)
    guard AuthorizationResponse.isAnswer(fields, to: expected.state) else {
      throw WireError("authorization_state", "The response belongs to another sign-in, or to none.")
    }
    redirectURI = try AuthorizationResponse.place(of: answer, expected)
    try AuthorizationResponse.checkRepetitions(fields)
    try AuthorizationResponse.checkIssuer(of: fields, expected)
    content = try AuthorizationResponse.content(of: fields)
    cloudHost = fields["cloud_instance_host_name"]?.nonBlank.map { String($0.prefix(300)) }
    homeAccountID = fields["client_info"].flatMap { try? ClientInfo($0) }?.homeAccountID
  }

  /// Whether an answer is to the request with a state; nothing else of it is looked at.
  package static func isAnswer(_ answer: AuthorizationAnswer, to state: Secret) -> Bool {
    guard let fields = try? fields(of: answer) else { return false }
    return isAnswer(fields, to: state)
  }

  private static func isAnswer(_ fields: FormFields, to state: Secret) -> Bool {
    let states = fields.fields.filter { $0.name == "state" }
    guard states.count == 1, let received = states.first?.value, !state.isEmpty else {
      return false
    }
    return received.isSame(as: state.reveal())
  }
}

extension AuthorizationResponse {
  /// The fields of an answer: of the query or of the form, never of the fragment, which the code flow does not use.
  package static func fields(of answer: AuthorizationAnswer) throws(WireError) -> FormFields {
    let text: String
    switch answer {
    case .form(let body): text = body.reveal()
    case .address(let address):
      text = String(
        address.reveal().prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
    }
    guard text.utf8.count <= limit, case let fields = FormFields(decoding: text),
      fields.fields.count <= fieldLimit
    else {
      throw WireError("authorization_too_large", "The response is larger than one can be.")
    }
    return fields
  }

  /// The redirect URI to redeem with, if it is not that of the request.
  private static func place(
    of answer: AuthorizationAnswer, _ expected: AuthorizationExpectation
  ) throws(WireError) -> String? {
    guard case .address(let secret) = answer else { return nil }
    let opened = String(secret.reveal().prefix { $0 != "?" && $0 != "#" })
    if opened.isSameRedirect(as: expected.redirectURI) { return nil }
    if expected.acceptsCertificateAnswer, opened.isCertificateRedirect { return opened }
    throw WireError(
      "authorization_elsewhere",
      "The response came to another address than the redirect URI of the request.")
  }

  /// RFC 6749 section 3.1: nothing may be there twice.
  private static func checkRepetitions(_ fields: FormFields) throws(WireError) {
    let names = fields.fields.map(\.name)
    guard Set(names).count == names.count else {
      throw WireError("authorization_repeated", "The response has a parameter more than once.")
    }
  }

  /// RFC 9207 section 2.4: an answer of another provider ends the sign-in, an error as well as a code.
  ///
  /// Some providers omit `iss` in error responses. Such a response has no code to redeem, so its error is reported.
  private static func checkIssuer(
    of fields: FormFields, _ expected: AuthorizationExpectation
  ) throws(WireError) {
    guard let issuer = fields["iss"] else {
      let isError = fields["error"]?.nonBlank != nil && fields["code"]?.nonBlank == nil
      guard !expected.requiresIssuer || isError else {
        throw WireError(
          "authorization_issuer",
          "The provider says that it names itself in responses; this one does not.")
      }
      return
    }
    let parts = expected.issuer.split(
      separator: "{tenantid}", maxSplits: 1, omittingEmptySubsequences: false)
    let matches: Bool
    if parts.count == 2, let head = parts.first, let tail = parts.last {
      let tenant = issuer.dropFirst(head.count).dropLast(tail.count)
      matches =
        issuer.hasPrefix(head) && issuer.hasSuffix(tail) && !tenant.isEmpty
        && !tenant.contains("/") && issuer.count > head.count + tail.count
    } else {
      matches = issuer == expected.issuer
    }
    guard matches else {
      throw WireError("authorization_issuer", "The response was made by another provider.")
    }
  }

  private static func content(of fields: FormFields) throws(WireError) -> Content {
    let code = fields["code"]?.nonBlank
    if let refusal = ServerError(authorization: fields) {
      guard code == nil else {
        throw WireError(
          "authorization_ambiguous", "The response has both a code and an error.")
      }
      return .refusal(refusal)
    }
    guard let code else {
      throw WireError("authorization_incomplete", "The response has neither a code nor an error.")
    }
    // RFC 6749 appendix A.11: VSCHAR.
    guard code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw WireError("authorization_code", "The response's code has characters that none has.")
    }
    return .code(Secret(code))
  }
}

extension String {
  /// Whether an address without query and fragment is that of a redirect URI.
  ///
  /// Browsers write scheme and host in lower case, and a path where there is none (RFC 3986 section 6.2).
  package func isSameRedirect(as redirectURI: String) -> Bool {
    comparableRedirect == redirectURI.comparableRedirect
  }

  /// Whether the address is the one to which a certificate on another device answers.
  package var isCertificateRedirect: Bool {
    lowercased().hasPrefix("msauth://code/") && utf8.count > "msauth://code/".utf8.count
  }

  private var comparableRedirect: String {
    let plain = prefix { $0 != "?" && $0 != "#" }
    guard let start = plain.firstRange(of: "://")?.upperBound else { return String(plain) }
    let path = plain[start...].firstIndex(of: "/") ?? plain.endIndex
    let rest = plain[path...]
    return plain[..<path].lowercased() + (rest == "/" ? "" : rest)
  }
}
