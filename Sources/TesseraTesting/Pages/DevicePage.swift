// SPDX-License-Identifier: MIT
// The steps of the device page. Each step includes the input of the previous ones.

import TesseraWire

/// The steps of the device page.
enum DevicePage {
  /// The path of the page.
  static let path = "/device"

  /// Returns the page for the code (RFC 8628 section 3.3).
  ///
  /// A code from the URL must still be confirmed (3.3.1).
  static func codePage(_ code: String, problem: String? = nil) -> Page {
    let notice: HTML = problem.map { "<p class=\"bad\" role=\"alert\">\($0)</p>" } ?? ""
    let content: HTML = """
      \(notice)<p>Enter the code that your device shows.</p>
      <form method="post" action="\(path)">
      <label for="user_code">Code</label>
      <input type="text" class="code" id="user_code" name="user_code" value="\(code)" \
      placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false" \
      maxlength="32" required autofocus>
      <button class="main">Continue</button>
      </form>
      """
    return Page(
      title: "Connect a device", content: content, status: problem == nil ? 200 : 400)
  }

  /// Returns the page for account selection.
  static func accountPage(_ grant: DeviceGrant) -> Page {
    let accountButtons: [HTML] = LocalUser.all.filter { grant.issuer.admits($0) }.map { user in
      """
      <button class="account" name="username" value="\(user.username)">\(user.name)\
      <span>\(user.username)\(note(on: user, at: grant.issuer))</span></button>

      """
    }
    let content: HTML = """
      <p>Choose the account to sign in.</p>
      <form method="post" action="\(path)">
      <input type="hidden" name="user_code" value="\(grant.userCode)">
      \(accountButtons)</form>
      """
    return Page(title: "Choose an account", content: content)
  }

  /// Returns the consent page.
  static func consentPage(_ grant: DeviceGrant, _ user: LocalUser) -> Page {
    let scopes = ScopeList.items(grant.scopes)
    let list: HTML = scopes.isEmpty ? "" : "<p>It wants to:</p>\n<ul>\n\(scopes)</ul>"
    let content: HTML = """
      <p>The application <strong>\(grant.clientID)</strong> wants to sign in as \
      <strong>\(user.username)</strong> on the device that shows this code:</p>
      <p class="code">\(grant.userCode)</p>
      \(list)
      <form method="post" action="\(path)">
      <input type="hidden" name="user_code" value="\(grant.userCode)">
      <input type="hidden" name="username" value="\(user.username)">
      <div class="row">
      <button name="decision" value="decline">Decline</button>
      <button class="main" name="decision" value="approve">Approve</button>
      </div>
      </form>
      """
    return Page(title: "Sign in to this application?", content: content)
  }

  /// Returns the final page.
  static func done(approvedBy user: LocalUser?) -> Page {
    guard let user else {
      return Page(
        title: "Declined", content: "<p>The device was not signed in. You can close this page.</p>")
    }
    return Page(
      title: "You are signed in",
      content: """
        <p>The device is signed in as <strong>\(user.username)</strong>. You can close this page.</p>
        """)
  }

  private static func note(on user: LocalUser, at issuer: Issuer) -> String {
    guard case .entra(let audience) = issuer, let tenant = audience.tenant(for: user) else {
      return ""
    }
    if user.isPersonal { return " (personal account)" }
    return tenant == user.home ? "" : " (guest)"
  }
}
