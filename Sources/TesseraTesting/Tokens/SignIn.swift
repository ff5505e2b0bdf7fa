// SPDX-License-Identifier: MIT
// The result of a redeemed grant: user, issuer, application and scopes.

import TesseraWire

/// The parameters of issued tokens, independent of the grant.
struct SignIn: Sendable {
  /// The signed-in user.
  let user: LocalUser
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

  /// The scope that requests a refresh token (OpenID Connect Core 11).
  static let offlineAccess = "offline_access"
  /// The scope that requests an ID token (OpenID Connect Core 3.1.2.1).
  static let openID = "openid"

  /// The tenant in which the user signs in, which may not be the home tenant; nil if the issuer has no tenants.
  var tenant: Tenant? {
    issuer.tenant(for: user)
  }

  /// The scopes of resources.
  var resourceScopes: Scopes {
    scopes.minus(Scopes(SignIn.identityScopes))
  }

  /// The `scope` of the response.
  ///
  /// Entra always lists `openid profile email` and never `offline_access`. ADFS returns other names for the scopes of a
  /// resource. A generic issuer repeats the granted scopes.
  var grantedScope: String {
    if issuer == .adfs, resourceScopes.list.contains(where: { $0.contains("/") }) {
      return "openid user_impersonation"
    }
    return issuer.isEntra
      ? Scopes(SignIn.alwaysReturnedScopes).union(resourceScopes).text : scopes.text
  }

  /// The claim `aud` of the access token: the resource prefix of the scopes, or Microsoft Graph without one.
  var resource: String {
    guard issuer.isEntra else { return clientID }
    let named = resourceScopes.list.lazy.compactMap { $0.lastIndex(of: "/").map($0.prefix(upTo:)) }
    return named.first.map(String.init) ?? SignIn.defaultResource
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
