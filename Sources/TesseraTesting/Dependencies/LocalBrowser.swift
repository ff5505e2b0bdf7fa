// SPDX-License-Identifier: MIT
// A simulated user with a browser: opens the provider's page, fills in its forms, and returns the redirect.

public import TesseraEngine
public import TesseraWire

/// A simulated user with a browser on a ``LocalMachine``.
///
/// Signs in at the pages of its provider.
///
/// ```swift
/// machine.browser.username = LocalUser.bob.username
/// let result = try await application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
/// ```
public final class LocalBrowser: Sendable {
  /// The decision of the user on the consent page.
  public enum Decision: Sendable {
    /// Consents.
    case accept
    /// Declines.
    case decline
    /// Closes the browser.
    case close
  }

  private struct BrowserState {
    var username = LocalUser.alice.username
    var decision = Decision.accept
    var cookies: [String] = []
    var pages: [String] = []
  }

  private let provider: LocalProvider
  private let state = SpinLock(BrowserState())

  /// Creates a browser without cookies, with Alice as the user.
  init(at provider: LocalProvider) {
    self.provider = provider
  }

  /// The user name that is entered.
  public var username: String {
    get { state.withLock { $0.username } }
    set { state.withLock { $0.username = newValue } }
  }

  /// The decision of the user.
  public var decision: Decision {
    get { state.withLock { $0.decision } }
    set { state.withLock { $0.decision = newValue } }
  }

  /// The titles of the pages that were shown, oldest first.
  public var pages: [String] { state.withLock { $0.pages } }

  /// Opens the URL of a sign-in page and signs in.
  ///
  /// - Returns: The redirect; nil if no form was found or the user closed the browser.
  public func visit(_ address: String) -> RawAuthorizationResponse? {
    var request = HTTPRequest(method: "GET", url: address)
    // At most two pages, and the form that posts the response.
    for _ in 0..<4 {
      let cookies = state.withLock { $0.cookies }
      if !cookies.isEmpty {
        request.headers.append(HTTPHeader("Cookie", cookies.joined(separator: "; ")))
      }
      let response = provider.handle(request)
      storeCookie(of: response)
      if let location = response.headers["Location"] { return .address(Secret(location)) }
      let page = HTMLFormParser(String(decoding: response.body, as: UTF8.self))
      state.withLock { $0.pages.append(page.title) }
      guard let form = page.form(named: ["sign-in", "consent", "answer"]) else { return nil }
      if form.name == "answer" { return .form(Secret(form.fields.encoded)) }
      guard let fields = fill(form) else { return nil }
      request = .post(form.target, fields)
    }
    return nil
  }

  /// Fills in a form.
  ///
  /// Returns nil if the user closes the browser.
  private func fill(_ form: HTMLFormParser.Form) -> FormFields? {
    let (username, decision) = state.withLock { ($0.username, $0.decision) }
    var fields = FormFields()
    if form.name == "sign-in" {
      guard decision != .close else { return nil }
      fields.add("username", username)
    } else {
      for field in form.fields.fields { fields.add(field.name, field.value) }
      fields.add("decision", decision == .accept ? "approve" : "decline")
    }
    return fields
  }

  private func storeCookie(of response: HTTPResponse) {
    guard let cookie = response.headers["Set-Cookie"]?.prefix(while: { $0 != ";" }) else { return }
    state.withLock { $0.cookies = [String(cookie)] }
  }
}

extension LocalBrowser: Browser {
  /// Starts a session whose user has the settings of this browser.
  public func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    LocalBrowserSession(self, request)
  }
}

/// A session without a listener: the provider's response is intercepted before it would be sent to the redirect URI.
private final class LocalBrowserSession: BrowserSession {
  let redirectURI: String
  let reason = "requested by a test"
  private let browser: LocalBrowser
  private let prompt: ((SignInPrompt) -> Void)?
  private var response: RawAuthorizationResponse?
  private var isForeign = false

  init(_ browser: LocalBrowser, _ request: BrowserRequest) {
    self.browser = browser
    prompt = request.prompt
    redirectURI = LocalBrowserSession.addingListenerPort(request.redirectURI)
  }

  func open(_ page: String) {
    prompt?(SignInPrompt(url: page, opensBrowser: true, reason: reason))
    response = browser.visit(page)
  }

  func next() throws(TesseraError) -> RawAuthorizationResponse {
    guard let response else {
      throw TesseraError(.cancelled, .accessDenied, "The browser was closed.")
    }
    guard !isForeign else {
      throw TesseraError(.fixRequest, .stateMismatch, "The response belongs to another sign-in.")
    }
    return response
  }

  func reply(_ reply: BrowserReply) {
    if case .foreign = reply { isForeign = true }
  }

  func close() {}

  /// Adds a port to a loopback redirect URI, like a listener would.
  private static func addingListenerPort(_ redirectURI: String) -> String {
    guard let address = WebURL(redirectURI), address.isLoopback, address.port == nil else {
      return redirectURI
    }
    let path = redirectURI.dropFirst(address.origin.count)
    return "\(address.origin):50123\(path)"
  }
}

/// The forms of a page of the provider.
private struct HTMLFormParser {
  struct Form {
    let name: String
    let target: String
    let fields: FormFields
  }

  private let text: String

  init(_ text: String) {
    self.text = text
  }

  var title: String { HTMLFormParser.between("<title>", "</title>", in: text[...]) ?? "" }

  /// Returns the first form with one of the IDs; nil if there is none.
  func form(named names: [String]) -> Form? {
    for piece in text.split(separator: "<form ").dropFirst() {
      let form = piece.prefix(upTo: piece.firstRange(of: "</form>")?.lowerBound ?? piece.endIndex)
      guard let name = HTMLFormParser.between("id=\"", "\"", in: form), names.contains(name),
        let target = HTMLFormParser.between("action=\"", "\"", in: form)
      else { continue }
      var fields = FormFields()
      for input in form.split(separator: "<input type=\"hidden\"").dropFirst() {
        guard let name = HTMLFormParser.between("name=\"", "\"", in: input) else { continue }
        fields.add(
          HTMLFormParser.plain(name),
          HTMLFormParser.between("value=\"", "\"", in: input).map(HTMLFormParser.plain))
      }
      return Form(name: name, target: HTMLFormParser.plain(target), fields: fields)
    }
    return nil
  }

  private static func between(_ start: String, _ end: String, in text: Substring) -> String? {
    guard let from = text.firstRange(of: start)?.upperBound,
      let to = text[from...].firstRange(of: end)?.lowerBound
    else { return nil }
    return String(text[from..<to])
  }

  private static func plain(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
