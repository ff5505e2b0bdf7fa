// SPDX-License-Identifier: MIT
// The browser preferences of an application, and the prompt that it receives.

/// The kind of window that shows the provider's page.
public enum WebviewType: String, Sendable, Hashable, CaseIterable {
  /// The user's browser, or any browser in which the user opens the address: MSAL's authentication session.
  case `default`
  /// A separate window of the program `tessera-webview` (WebKitGTK): MSAL's `WKWebView`.
  case embedded
}

/// The choice whether to open the user's browser.
public enum BrowserChoice: String, Sendable, Hashable, CaseIterable {
  /// Open it if the environment has one; see the table in docs/interactive.md.
  case automatic
  /// Open it regardless of the environment.
  case open
  /// Do not open it: the host application shows the address.
  case show
}

/// The preferences of an application for the browser of a sign-in.
public struct BrowserPreferences: Sendable, Hashable {
  /// The kind of window that shows the provider's page.
  public var webviewType = WebviewType.default
  /// Whether an embedded web view starts without cookies of earlier sign-ins and stores none.
  ///
  /// It has no effect on the user's browser, which follows its own settings.
  public var prefersEphemeralWebBrowserSession = true
  /// The absolute path of `tessera-webview`; `nil` for the installed one (docs/webview.md).
  public var webviewProgram: String?
  /// The choice whether to open the user's browser.
  public var choice = BrowserChoice.automatic
  /// The page (HTML) to show after a successful sign-in; `nil` for the default page.
  ///
  /// Scripts are disabled. Images and fonts may be loaded over https.
  public var successPage: String?
  /// The page (HTML) to show after a failed sign-in; `nil` for the default page.
  public var failurePage: String?
  /// A file descriptor, such as standard input, from which pasted redirect addresses are read by line; `nil` for none.
  ///
  /// The user pastes the address at which the browser ended. The descriptor stays open, and no other code may read from it
  /// during the call. An address that does not belong to the sign-in is reported by the prompt.
  public var answerDescriptor: Int32?

  /// Creates preferences.
  public init(
    webviewType: WebviewType = .default, prefersEphemeralWebBrowserSession: Bool = true,
    webviewProgram: String? = nil, choice: BrowserChoice = .automatic, successPage: String? = nil,
    failurePage: String? = nil, answerDescriptor: Int32? = nil
  ) {
    self.webviewType = webviewType
    self.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
    self.webviewProgram = webviewProgram
    self.choice = choice
    self.successPage = successPage
    self.failurePage = failurePage
    self.answerDescriptor = answerDescriptor
  }
}

/// The instructions for the user of a sign-in in a browser.
public struct SignInPrompt: Sendable {
  /// The address of the provider's page, for one sign-in.
  public var url: String
  /// Whether the address is opened in a browser.
  ///
  /// If not, the host application must show it.
  public var opensBrowser: Bool
  /// The reason why a browser is opened or not, as listed in docs/interactive.md.
  public var reason: String
  /// The redirect URI in use.
  ///
  /// The address at which the browser ends starts with it.
  public var redirectURI = ""
  /// The problem since the previous prompt; `nil` in the first one.
  public var problem: String?

  /// Creates a prompt.
  public init(
    url: String, opensBrowser: Bool, reason: String, redirectURI: String = "",
    problem: String? = nil
  ) {
    self.url = url
    self.opensBrowser = opensBrowser
    self.reason = reason
    self.redirectURI = redirectURI
    self.problem = problem
  }
}
