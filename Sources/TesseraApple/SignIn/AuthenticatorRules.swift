// SPDX-License-Identifier: MIT
// Validation of requests to Microsoft Authenticator.

import TesseraEngine
import TesseraWire

/// The rules for sign-ins with Microsoft Authenticator.
enum AuthenticatorRules {
  /// Checks a request, before any network access.
  ///
  /// - Parameter redirect: The redirect URI of the configuration.
  /// - Throws: `fixRequest` or `fixConfiguration` for a request that a broker would reject.
  static func check(
    _ request: AuthorizationOptions, _ options: AuthenticatorOptions, at authority: Authority,
    _ redirect: RedirectURI, bundleID: String?
  ) throws(TesseraError) {
    guard authority.type == .entra else {
      throw TesseraError(
        .fixConfiguration, .flowUnsupported,
        "Authenticator supports Entra authorities only: remove authenticator for \(authority.text)."
      )
    }
    try checkRedirect(redirect, bundleID: bundleID)
    try checkSchemes(options.querySchemes)
    guard request.extraTokenParameters.isEmpty, request.responseMode == .query else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "With authenticator, the library sends no token request and receives no form: remove extra_token_parameters and response_mode."
      )
    }
    guard (options.brokerClientID == nil) == (options.brokerRedirectURI == nil) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass both brk_client_id and brk_redirect_uri, or neither.")
    }
  }

  /// Checks the redirect URI.
  ///
  /// Brokers accept `msauth.[bundle id]://auth`, `[scheme]://[bundle id]` and https URIs (MSAL for Apple,
  /// `MSIDRedirectUri`).
  private static func checkRedirect(
    _ redirect: RedirectURI, bundleID: String?
  ) throws(TesseraError) {
    guard !redirect.isBrokerCapable, redirect.kind != .web else { return }
    let recommended = bundleID?.nonBlank.map { "msauth.\($0.lowercased())://auth" }
    let reason =
      redirect.kind == .loopback
      ? "is a loopback address" : "does not contain the bundle ID of the application"
    throw TesseraError(
      .fixConfiguration, .invalidRedirectURI,
      "redirect_uri \(reason), so a broker would reject it: "
        + (recommended.map { "register \($0)." }
          ?? "set bundle_id, and register msauth.[bundle_id]://auth."))
  }

  /// Checks the query schemes.
  ///
  /// Without both, the presence of a broker cannot be detected (MSAL for Apple, `MSIDRedirectUriVerifier`).
  private static func checkSchemes(_ schemes: [String]?) throws(TesseraError) {
    guard let schemes else { return }
    let missing = AuthenticatorLink.requiredSchemes.filter { !schemes.contains($0) }
    guard !missing.isEmpty else { return }
    throw TesseraError(
      .fixConfiguration, .redirectSchemeNotRegistered,
      "LSApplicationQueriesSchemes in Info.plist lacks \(missing.joined(separator: " and ")): add the missing schemes."
    )
  }
}
