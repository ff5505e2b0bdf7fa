// SPDX-License-Identifier: MIT
// The pages of the authorization endpoint: account selection, consent, and the form post of the response.

import TesseraWire

/// The pages of one authorization request.
///
/// All of them post to its URL.
struct AuthorizationPage {
  private let requested: AuthorizationQuery
  private let issuer: Issuer
  private let target: String

  /// The name of the session cookie.
  static let cookie = "tessera_session"

  init(_ requested: AuthorizationQuery, _ issuer: Issuer, target: String) {
    self.requested = requested
    self.issuer = issuer
    self.target = target
  }

  /// Returns the page for account selection.
  ///
  /// The login hint is filled in.
  func accountPage(problem: String?) -> Page {
    let notice: HTML = problem.map { "<p class=\"bad\" role=\"alert\">\($0)</p>" } ?? ""
    let accountButtons: [HTML] = LocalUser.all.filter { issuer.admits($0) }.map { user in
      """
      <button class="account" name="username" value="\(user.username)">\(user.name)\
      <span>\(user.username)</span></button>

      """
    }
    let content: HTML = """
      \(notice)<p>The application <strong>\(requested.clientID)</strong> requests a sign-in.</p>
      <form method="post" action="\(target)" id="sign-in">
      <label for="username">Name</label>
      <input type="text" class="name" id="username" name="username" value="\(requested.loginHint ?? "")" \
      autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="320" required \
      autofocus>
      <button class="main" id="next">Next</button>
      </form>
      <p class="or">or choose an account</p>
      <form method="post" action="\(target)" id="accounts">
      \(accountButtons)</form>
      """
    return Page(
      title: "Sign in", content: content, status: problem == nil ? 200 : 400,
      formTargets: requested.formTargets)
  }

  /// Returns the consent page.
  func consentPage(_ user: LocalUser) -> Page {
    let scopes = ScopeList.items(requested.scopes)
    let content: HTML = """
      <p>The application <strong>\(requested.clientID)</strong> wants to sign in as \
      <strong>\(user.username)</strong>, and to:</p>
      <ul>
      \(scopes)</ul>
      <form method="post" action="\(target)" id="consent">
      <input type="hidden" name="username" value="\(user.username)">
      <div class="row">
      <button id="decline" name="decision" value="decline">Decline</button>
      <button class="main" id="accept" name="decision" value="approve">Accept</button>
      </div>
      </form>
      """
    return Page(
      title: "Permissions requested", content: content, formTargets: requested.formTargets)
  }

  /// Returns the page that posts the response to the redirect URI (OAuth 2.0 Form Post Response Mode), without a
  /// script.
  static func post(_ fields: FormFields, to requested: AuthorizationQuery) -> Page {
    let inputs: [HTML] = fields.fields.map { name, value in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">\n"
    }
    let content: HTML = """
      <p>The sign-in is complete. Return to the application.</p>
      <form method="post" action="\(requested.redirectURI)" id="answer">
      \(inputs)<button class="main" id="continue" autofocus>Continue</button>
      </form>
      """
    return Page(
      title: "Back to the application", content: content, formTargets: requested.formTargets)
  }

  /// The page for a request that must not be redirected (RFC 6749 section 4.1.2.1).
  static let invalidRequestPage = Page(
    title: "Invalid request",
    content: """
      <p class="bad" role="alert">AADSTS50011: the request has no client ID, or a redirect URI that \
      is not registered. You were not redirected to the application.</p>
      <p>Close this page. The developer of the application must correct its client ID or register \
      its redirect URI.</p>
      """, status: 400)
}

extension AuthorizationQuery {
  /// The redirect URI as a source of the content security policy, which browsers also apply to redirects of forms.
  fileprivate var formTargets: [String] {
    let scheme = redirectURI.prefix { $0 != ":" }
    // An address in brackets is not a valid host source (Content Security Policy section 2.3.1).
    guard let address = WebURL(redirectURI), !address.host.contains(":"),
      address.host.utf8.allSatisfy({ $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") })
    else {
      let isScheme = scheme.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || [0x2B, 0x2D, 0x2E].contains(byte)
      }
      return isScheme ? [scheme + ":"] : []
    }
    return [address.origin]
  }
}
