// SPDX-License-Identifier: MIT
// What a grant was exchanged for: who signed in, where, to which application, for what.

import TesseraWire

/// What tokens are issued for, whichever grant it came from.
struct SignIn: Sendable {
  /// Who signed in.
  let user: LocalUser
  /// The application.
  let clientID: String
  /// Where.
  let issuer: Issuer
  /// What was asked for and is granted.
  let scopes: Scopes
  /// The refresh token to hand out, if there is one.
  var refreshToken: String?
  /// The family of applications that share it.
  var familyID: String?
  /// The nonce of the request, if it had one.
  var nonce: String?

  /// The scope that asks for a refresh token (OpenID Connect Core 11).
  static let offlineAccess = "offline_access"
  /// The scope that asks for an ID token (OpenID Connect Core 3.1.2.1).
  static let openID = "openid"

  /// The tenant in which the person signs in, which may not be their own; nil where there are none.
  var tenant: Tenant? {
    issuer.tenant(for: user)
  }

  /// The scopes that name a resource.
  var resourceScopes: Scopes {
    scopes.minus(Scopes(SignIn.identityScopes))
  }

  /// `scope` of the answer.
  ///
  /// Entra always lists `openid profile email` and never `offline_access`; ADFS names a resource's scopes in its own
  /// words; a plain issuer repeats what it granted.
  var grantedScope: String {
    if issuer == .adfs, resourceScopes.list.contains(where: { $0.contains("/") }) {
      return "openid user_impersonation"
    }
    return issuer.isEntra ? Scopes(SignIn.echoedScopes).union(resourceScopes).text : scopes.text
  }

  /// `aud` of the access token: the resource in front of the scopes, Microsoft Graph if they name none.
  var resource: String {
    guard issuer.isEntra else { return clientID }
    let named = resourceScopes.list.lazy.compactMap { $0.lastIndex(of: "/").map($0.prefix(upTo:)) }
    return named.first.map(String.init) ?? SignIn.defaultResource
  }

  /// `scp` of the access token: the scopes without the resource in front of them.
  var shortScopes: String {
    resourceScopes.list
      .map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      .joined(separator: " ")
  }

  private static let echoedScopes = ["openid", "profile", "email"]
  private static let identityScopes = echoedScopes + [offlineAccess]
  private static let defaultResource = "https://graph.microsoft.com"
}
