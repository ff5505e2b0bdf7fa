// SPDX-License-Identifier: MIT
// The ports to the browser and its settings.

public import TesseraWire

/// Opens the provider's page and receives the authorization response at the redirect URI.
///
/// A host application with its own browser or web view implements it, and assigns it to
/// ``HostPorts/browser``.
///
/// ```swift
/// struct OwnBrowser: Browser {
///   func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
///     OwnBrowserSession(redirectURI: request.redirectURI)
///   }
/// }
/// ```
public protocol Browser: Sendable {
  /// Starts to receive the redirect of one sign-in, if it arrives at this process.
  ///
  /// Called on the thread of the call, on several threads at the same time if there are several sign-ins. Neither this
  /// function nor the session may call the application.
  ///
  /// - Throws: `browserUnavailable` if there is no browser, `cancelled` at the limits of the request.
  func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession

  /// Checks, without network access, that the system delivers redirects with the application's own URI scheme to this
  /// process.
  ///
  /// - Parameter preferences: The browser preferences of the application; `nil` for a page that the host application opens.
  /// - Throws: `redirectSchemeNotRegistered` if another application, or none, is registered for the scheme.
  func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError)
}

extension Browser {
  /// Accepts every redirect URI.
  public func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError) {}
}

/// One sign-in in a browser, used on one thread.
///
/// The engine calls ``open(_:)`` once, then ``next()`` and ``reply(_:)`` in turn until a redirect ends the sign-in, and
/// ``close()`` at the end. Each function must return within 100 ms after the timeout of the request has passed or its
/// cancellation was triggered: the call ends only when the function returns.
public protocol BrowserSession: AnyObject {
  /// The redirect URI of the request; a loopback address without a port with the port of the listener.
  var redirectURI: String { get }
  /// The reason why the page was opened in this way, as listed in docs/interactive.md.
  var reason: String { get }

  /// Opens the provider's page.
  func open(_ page: String) throws(TesseraError)

  /// Waits for the next redirect to the redirect URI.
  ///
  /// It may belong to another sign-in: the engine validates it.
  ///
  /// - Throws: `cancelled` if the user closed the browser or the limits were reached.
  func next() throws(TesseraError) -> RawAuthorizationResponse

  /// Replies to the redirect that ``next()`` returned.
  ///
  /// A reply that ends the sign-in returns when the browser shows its page.
  func reply(_ reply: BrowserReply)

  /// Releases all resources of the session.
  func close()
}

extension BrowserSession {
  /// `host`, the reason of a browser of the host application.
  public var reason: String { "host" }

  /// Shows no page.
  public func reply(_ reply: BrowserReply) {}
}

/// The parameters of one sign-in in a browser.
public struct BrowserRequest {
  /// The redirect URI of the application.
  ///
  /// A loopback address without a port means any free port.
  public var redirectURI: String
  /// The browser preferences of the application.
  public var preferences: BrowserPreferences
  /// The texts for users.
  package var messages = UserMessages()
  /// The time in which the session must end, from its start; `nil` for no limit.
  public var timeout: Duration?
  /// Ends the session early; `nil` for none.
  public var cancellation: Cancellation?
  /// Passes the address to the host application, before the browser is opened or because there is none; `nil` for no
  /// prompt.
  public var prompt: ((SignInPrompt) -> Void)?

  /// Creates a request.
  public init(
    redirectURI: String, preferences: BrowserPreferences = BrowserPreferences(),
    timeout: Duration? = nil, cancellation: Cancellation? = nil,
    prompt: ((SignInPrompt) -> Void)? = nil
  ) {
    self.redirectURI = redirectURI
    self.preferences = preferences
    self.timeout = timeout
    self.cancellation = cancellation
    self.prompt = prompt
  }
}

/// The effect of a redirect on the sign-in, which determines the page that the browser shows.
public enum BrowserReply: Sendable {
  /// The redirect belongs to another sign-in.
  ///
  /// The browser shows an error page, and the wait continues.
  case foreign
  /// It ends the sign-in with an authorization code.
  case success
  /// It ends the sign-in with an error of the provider, whose message may be displayed as plain text.
  case failure(TesseraError)
}

/// The port of a machine without a browser.
package struct NoBrowser: Browser {
  package init() {}

  package func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "No browser can be opened on this machine: sign in with a device code, or show the sign-in address to the user."
    )
  }
}

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
