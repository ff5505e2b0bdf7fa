// SPDX-License-Identifier: MIT
// The result of a redeemed grant: user or application, issuer and scopes.

import TesseraWire

/// The subject of tokens.
enum TokenSubject: Sendable, Hashable {
  case user(LocalUser)
  /// An application without a user (RFC 6749 section 4.4).
  case application(ServicePrincipal)
}

/// The parameters of issued tokens, independent of the grant.
struct SignIn: Sendable {
  /// The signed-in user or the application itself.
  let subject: TokenSubject
  /// The client ID of the application.
  let clientID: String
  /// The issuer.
  let issuer: Issuer
  /// The granted scopes.
  let scopes: Scopes
  /// The refresh token to return, if any.
  var refreshToken: String?
  /// The refresh token of the request, if any.
  var redeemedToken: String?
  /// The family of applications that share it, if any.
  var familyID: String?
  /// The nonce of the request, if any.
  var nonce: String?
  /// The authentication contexts that the request required in `claims`, for the claim `acrs`; Entra only.
  var authenticationContexts: [String] = []
  /// Entra's claim `azpacr`: 0 for a public client, 1 for a secret, 2 for a certificate.
  var clientAuthenticationClass = 0

  /// The scope that requests a refresh token (OpenID Connect Core 11).
  static let offlineAccess = "offline_access"
  /// The scope that requests an ID token (OpenID Connect Core 3.1.2.1).
  static let openID = "openid"

  /// The signed-in user; nil for an application without a user.
  var user: LocalUser? {
    guard case .user(let user) = subject else { return nil }
    return user
  }

  /// The tenant of the tokens, which may not be the home tenant of the user; nil if the issuer has no tenants.
  var tenant: Tenant? {
    user.map { issuer.tenant(for: $0) } ?? issuer.tenantOfApplications
  }

  /// The object ID in a tenant.
  func objectID(in tenant: Tenant) -> String {
    switch subject {
    case .user(let user): user.objectID(in: tenant)
    case .application(let application): application.objectID(in: tenant)
    }
  }

  /// The scopes of resources.
  var resourceScopes: Scopes {
    scopes.minus(Scopes(SignIn.identityScopes))
  }

  /// The `scope` of the response; nil if it has none.
  ///
  /// Entra always lists `openid profile email` and never `offline_access`. ADFS returns other names for the scopes of a
  /// resource. Both return none to an application without a user. A generic issuer repeats the granted scopes.
  var grantedScope: String? {
    if case .plain = issuer { return scopes.text }
    guard user != nil else { return nil }
    if issuer == .adfs, resourceScopes.list.contains(where: { $0.contains("/") }) {
      return "openid user_impersonation"
    }
    return issuer.isEntra
      ? Scopes(SignIn.alwaysReturnedScopes).union(resourceScopes).text : scopes.text
  }

  /// The claim `aud` of the access token: the resource prefix of the scopes.
  ///
  /// Without one, it is Microsoft Graph at Entra, and the client ID elsewhere.
  var resource: String {
    if case .plain = issuer { return clientID }
    let named = resourceScopes.list.lazy.compactMap { $0.lastIndex(of: "/").map($0.prefix(upTo:)) }
    return named.first.map(String.init) ?? (issuer.isEntra ? SignIn.defaultResource : clientID)
  }

  /// The claim `scp` of the access token: the scopes without their resource prefix.
  var scopesWithoutResource: String {
    resourceScopes.list
      .map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      .joined(separator: " ")
  }

  private static let alwaysReturnedScopes = ["openid", "profile", "email"]
  private static let identityScopes = alwaysReturnedScopes + [offlineAccess]
  private static let defaultResource = "https://graph.microsoft.com"
}
