// SPDX-License-Identifier: MIT
// The logout request, which a browser opens as a URL (OpenID Connect RP-Initiated Logout 1.0 section 2).

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
