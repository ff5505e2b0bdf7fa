// SPDX-License-Identifier: MIT
// The on-behalf-of grant of Entra and ADFS: a service exchanges the access token of its caller for one of another service.

import TesseraWire

/// An exchange of an access token of this provider (RFC 7523 section 2.1, with `requested_token_use`).
struct OnBehalfOfGrant {
  /// The service that received the token.
  let client: AuthenticatedClient
  /// The issuer that received the request.
  let issuer: Issuer
  /// The authentication contexts that resources require.
  let requiredContexts: [String: String]
  /// The current time.
  let now: Instant

  /// Returns the grant for the caller of the service.
  ///
  /// - Parameter key: The key that signed the tokens of this provider.
  /// - Throws: `invalid_grant` for an invalid assertion, `interaction_required` with `claims` if the resource requires an
  ///   authentication context that the assertion does not have.
  func redeem(_ form: FormFields, key: SigningKey) throws(ErrorResponse) -> SignIn {
    guard issuer.supportsOnBehalfOf else { throw .unsupportedGrant }
    _ = try client.servicePrincipal(at: issuer)
    guard try form.required("requested_token_use") == "on_behalf_of" else {
      throw .unsupportedTokenUse
    }
    let assertion = try form.required("assertion")
    let scopes = Scopes(parsing: try form.required("scope"))
    guard let token = try? JSONWebToken(Secret(assertion)) else { throw .malformedUserAssertion }
    guard key.signed(assertion) else { throw .wrongUserAssertionSignature }
    try check(token.claims)
    let signIn = SignIn(
      subject: try subject(of: token.claims), clientID: client.clientID, issuer: issuer,
      scopes: scopes)
    let contexts = token.claims["acrs"]?.array?.compactMap(\.string) ?? []
    if let required = requiredContexts[signIn.resource], !contexts.contains(required) {
      throw .stepUpRequired(required, for: signIn.resource)
    }
    return signIn
  }

  private func check(_ claims: JSONObject) throws(ErrorResponse) {
    guard let expiresAt = claims["exp"]?.integer, expiresAt > now.secondsSince1970 else {
      throw .expiredUserAssertion
    }
    let audience = claims["aud"]?.string?.normalised ?? ""
    let clientID = client.clientID.normalised
    guard [clientID, "api://\(clientID)"].contains(audience) else {
      throw .otherUserAssertionAudience(audience, client.clientID)
    }
  }

  /// Returns the caller of the service.
  ///
  /// - Throws: `invalid_grant` if the assertion is of another tenant.
  private func subject(of claims: JSONObject) throws(ErrorResponse) -> TokenSubject {
    let tenantID = claims["tid"]?.string
    if claims["idtyp"]?.string == "app", let clientID = claims["azp"]?.string {
      guard issuer.tenantOfApplications?.id == tenantID else { throw .notAdmitted }
      return .application(ServicePrincipal(clientID: clientID))
    }
    let user = LocalUser.all.first { user in
      let tenant = issuer.tenant(for: user)
      return tenant?.id == tenantID
        && (tenant.map { user.objectID(in: $0) == claims["oid"]?.string }
          ?? (user.objectID == claims["sub"]?.string))
    }
    guard let user else { throw .notAdmitted }
    return .user(user)
  }
}

extension Issuer {
  /// Whether services can exchange the tokens of their callers.
  fileprivate var supportsOnBehalfOf: Bool {
    switch self {
    case .entra, .ciam, .adfs: true
    case .b2c, .plain: false
    }
  }
}

extension FormFields {
  /// The authentication contexts that the parameter `claims` requests for the access token.
  ///
  /// In the form of OpenID Connect Core 5.5: `{"access_token":{"acrs":{"essential":true,"value":"c1"}}}`.
  var authenticationContexts: [String] {
    let claims = self["claims"].flatMap { try? JSONValue(parsing: $0) }?.object
    let request = claims?["access_token"]?.object?["acrs"]?.object
    let values = request?["values"]?.array ?? [request?["value"] ?? .null]
    return values.compactMap(\.string)
  }
}
