// SPDX-License-Identifier: MIT
// The address at which a browser ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0 section 2).

/// What a browser asks of the end-session endpoint.
package struct EndSessionRequest: Sendable {
  package var clientID: String
  /// Whose session it is, as the person is called at the provider.
  package var username: String?
  /// Where the browser goes afterwards; the provider must know it.
  package var postLogoutRedirectURI: String?

  /// An ID token of the session (section 2); the provider ends the session without asking if it recognizes it.
  package var idTokenHint: Secret?

  /// The maximum length of an ID token in the address; servers refuse longer request lines.
  package static let hintLimit = 4096

  package init(clientID: String, username: String?, postLogoutRedirectURI: String?) {
    self.clientID = clientID
    self.username = username
    self.postLogoutRedirectURI = postLogoutRedirectURI
  }

  /// The address to open.
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
