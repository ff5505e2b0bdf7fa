// SPDX-License-Identifier: MIT
// What an application says about the browser of a sign-in, and what it is told.

/// Where the provider's page is shown.
public enum WebviewType: String, Sendable, Hashable, CaseIterable {
  /// In the user's browser, or wherever the person opens the address: MSAL's authentication session.
  case `default`
  /// In a window of its own, by the program `tessera-webview` (WebKitGTK): MSAL's `WKWebView`.
  case embedded
}

/// Whether the user's browser is opened.
public enum BrowserChoice: String, Sendable, Hashable, CaseIterable {
  /// If the surroundings have one; docs/interactive.md has the table.
  case automatic
  /// Whatever the surroundings look like.
  case open
  /// Never: the host shows the address.
  case show
}

/// What an application prefers about the browser of a sign-in.
public struct BrowserPreferences: Sendable, Hashable {
  /// Where the provider's page is shown.
  public var webviewType = WebviewType.default
  /// Whether an embedded web view begins without the cookies of former sign-ins and keeps none; the user's browser
  /// does as the person has set it.
  public var prefersEphemeralWebBrowserSession = true
  /// The whole path of `tessera-webview`; nil for where it was installed (docs/webview.md).
  public var webviewProgram: String?
  /// Whether the user's browser is opened.
  public var choice = BrowserChoice.automatic
  /// The page (HTML) that is shown after a sign-in; nil for the library's own.
  ///
  /// It is shown without scripts. Pictures and fonts may come over https.
  public var successPage: String?
  /// The page (HTML) that is shown after one that failed; nil for the library's own.
  public var failurePage: String?
  /// A descriptor, such as that of standard input, from which lines are read in which a person pastes the address at which
  /// the browser ended; nil for none.
  ///
  /// It stays open, and nobody else may read from it during the call. What is pasted and does not belong to the sign-in is
  /// told by the prompt.
  public var answerDescriptor: Int32?

  /// No preferences.
  public init() {}
}

/// What a host is told while a person signs in.
public struct SignInPrompt: Sendable {
  /// The address of the provider's page; it is good for one sign-in.
  public var url: String
  /// Whether a browser is opened with it; if not, the host has to show it.
  public var opensBrowser: Bool
  /// Why the browser is opened, or why not: one of the words in docs/interactive.md.
  public var reason: String
  /// The redirect URI that is used: the address at which the browser ends begins with it.
  public var redirectURI = ""
  /// What went wrong since the host was told the last time; nil the first time.
  public var problem: String?

  package init(url: String, opensBrowser: Bool, reason: String) {
    self.url = url
    self.opensBrowser = opensBrowser
    self.reason = reason
  }
}
