// SPDX-License-Identifier: MIT
// The decision whether a sign-in requests a refresh token (OpenID Connect Core section 11), without side effects.

package import TesseraWire

/// The request for a refresh token of one sign-in.
package struct OfflineAccess: Sendable, Hashable {
  /// Whether the scope `offline_access` is requested.
  package let isRequested: Bool
  /// Whether `prompt=consent` is added to the authorization request.
  package let promptsForConsent: Bool

  /// Decides whether to request a refresh token.
  ///
  /// - Parameters:
  ///   - configured: The configured value; `nil` for the default.
  ///   - offlinePrompt: The configured prompt. It is sent only to providers other than Microsoft's.
  ///   - prompt: The `prompt` of the request. `none` cannot be combined with `consent`.
  package init(
    configured: Bool?, offlinePrompt: OfflineAccessPrompt?, isMicrosoft: Bool,
    prompt: SignInPromptType?
  ) {
    isRequested = configured ?? (isMicrosoft || prompt != SignInPromptType.none)
    promptsForConsent =
      isRequested && !isMicrosoft && offlinePrompt == .consent && prompt != SignInPromptType.none
  }

  /// The scopes that the library adds to the request.
  package var scopes: Scopes { Scopes.added(requestingRefreshToken: isRequested) }

  /// Returns the `prompt` parameter: the request's own value, with `consent` added if required.
  package func prompt(_ own: String?) -> String? {
    guard promptsForConsent, own != SignInPromptType.consent.rawValue else { return own }
    return [own, SignInPromptType.consent.rawValue].compactMap(\.self).joined(separator: " ")
  }
}

extension ApplicationConfiguration {
  /// Returns the decision whether a sign-in requests a refresh token.
  package func offlineAccess(
    at authority: Authority, prompt: SignInPromptType? = nil
  ) -> OfflineAccess {
    OfflineAccess(
      configured: requestsRefreshToken, offlinePrompt: offlineAccessPrompt,
      isMicrosoft: authority.isMicrosoft, prompt: prompt)
  }

  /// The scopes that the library adds when it redeems a refresh token.
  var refreshScopes: Scopes { Scopes.added(requestingRefreshToken: requestsRefreshToken ?? true) }
}

extension TesseraError {
  /// Returns the error with advice on settings, if the request for a refresh token may be its cause.
  ///
  /// Some providers enforce OpenID Connect Core section 11: they reject `offline_access` without `prompt=consent`.
  func withAdvice(
    on offlineAccess: OfflineAccess, _ configuration: ApplicationConfiguration, showsPage: Bool
  ) -> TesseraError {
    let reasons = ["invalid_request", "invalid_scope", "consent_required"]
    guard offlineAccess.isRequested, let oauthError = oauthError?.lowercased(),
      reasons.contains(oauthError)
    else { return self }
    var error = self
    let consent =
      showsPage && configuration.offlineAccessPrompt == nil
      ? "set tokens.offline_access_prompt to \"consent\", or " : ""
    error.message +=
      " If the provider rejects offline_access, \(consent)set tokens.request_refresh_token to false."
    return error
  }
}

extension TokenResult {
  /// Adds a warning if the provider issued no refresh token although one was requested.
  mutating func warnAboutMissingRefreshToken(_ authority: Authority) {
    let remedy =
      authority.isMicrosoft
      ? "" : " If the provider requires consent, set tokens.offline_access_prompt to \"consent\"."
    warnings.append(
      "\(authority.text) issued no refresh token: the user must sign in again when the access token expires."
        + remedy)
  }
}
