// SPDX-License-Identifier: MIT
// One sign-in in a browser, from the listener to the authorization response.

import TesseraEngine
import TesseraWire

/// One sign-in: its listener, the URL of its page, the program that opens the page, and the wait.
struct BrowserSession {
  private let request: BrowserRequest
  private let redirectURI: String
  private let page: String
  private var method: BrowserDecision.Method
  private var reason: BrowserDecision.Reason
  private var commands: ArraySlice<BrowserCommand>
  private var program: LaunchedProgram?
  private var wait: ResponseWait

  /// Starts listening for the authorization response and requests the URL of the page.
  ///
  /// - Parameter directories: The directories in which responses to a redirect URI with a custom scheme are delivered.
  init(
    _ request: BrowserRequest, _ decision: BrowserDecision, directories: [RendezvousDirectory],
    wake: WakePipe, time: any TimeSource
  ) throws(TesseraError) {
    self.request = request
    method = decision.method
    reason = decision.reason
    commands = decision.method == .systemBrowser ? decision.commands[...] : []
    let receiver: Receiver?
    (receiver, redirectURI, page) = try BrowserSession.startListening(request, directories)
    guard WebURL(page) != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The URL of the sign-in page is not an http or https URL.")
    }
    wait = ResponseWait(
      receiver, lines: PastedLines(request.preferences.answerDescriptor), wake: wake, time: time)
  }

  /// A listener and the handler of its requests.
  private typealias Receiver = (listener: any ResponseListener, handler: any RedirectHandler)

  /// Starts listening according to the kind of the redirect URI, and requests the URL of the page.
  private static func startListening(
    _ request: BrowserRequest, _ directories: [RendezvousDirectory]
  ) throws(TesseraError) -> (Receiver?, redirectURI: String, page: String) {
    if let address = LoopbackRedirectURI(request.redirectURI) {
      let listener = try LoopbackListener(address)
      let redirectURI = address.text(port: listener.port)
      let handler = LoopbackRedirectHandler(
        address, port: listener.port, preferences: request.preferences, messages: request.messages,
        classify: request.classify)
      return ((listener, handler), redirectURI, try request.page(redirectURI))
    }
    let redirectURI = request.redirectURI
    if RedirectScheme(of: redirectURI) != nil {
      // The socket is named after the `state` in the page's URL.
      let page = try request.page(redirectURI)
      let listener = try RendezvousListener(for: page, in: directories)
      return ((listener, DeliveredRedirectHandler(classify: request.classify)), redirectURI, page)
    }
    guard request.preferences.answerDescriptor != nil else {
      throw TesseraError(
        .fixRequest, .invalidRedirectURI,
        "The library cannot listen at \(redirectURI). Use http://localhost, or begin and complete the sign-in "
          + "yourself.")
    }
    return (nil, redirectURI, try request.page(redirectURI))
  }

  /// Shows and opens the page, and waits for the authorization response.
  mutating func run(within limits: CallLimits) throws(TesseraError) -> BrowserResponse {
    showPrompt()
    if method == .systemBrowser { try open(after: "") }
    while true {
      switch try wait.next(program, within: limits) {
      case .response(let response): return result(response)
      case .lines(let lines):
        if let response = pasted(lines) { return result(response) }
        try checkSources()
      case .program: try checkProgram()
      }
    }
  }

  private func result(_ response: RawAuthorizationResponse) -> BrowserResponse {
    BrowserResponse(response, reason: reason.rawValue)
  }

  private func showPrompt(_ problem: String? = nil) {
    var prompt = SignInPrompt(
      url: page, opensBrowser: method == .systemBrowser, reason: reason.rawValue)
    prompt.redirectURI = redirectURI
    prompt.problem = problem
    request.prompt?(prompt)
  }

  /// Returns the first pasted line that is a response to this sign-in.
  ///
  /// Reports each other line to the host application.
  private func pasted(_ lines: [String]) -> RawAuthorizationResponse? {
    for line in lines {
      let response = RawAuthorizationResponse(pasted: line, redirectURI: redirectURI)
      guard case .foreign = request.classify(response) else {
        return response
      }
      showPrompt(request.messages[.wrongURLPasted])
    }
    return nil
  }

  /// Throws if no source is left from which the authorization response could be received.
  private func checkSources() throws(TesseraError) {
    guard wait.receiver == nil, wait.lines.descriptor == nil else { return }
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "No redirect URL can arrive: the input of answer_descriptor has ended, and the redirect URI is not on this "
        + "machine.")
  }

  /// Starts the next command that may open the page.
  ///
  /// If none is left, asks the host application to show the URL.
  ///
  /// - Throws: `browserUnavailable` if the host application does not show URLs.
  private mutating func open(after failure: String) throws(TesseraError) {
    var failure = failure
    while let command = commands.popFirst() {
      do throws(LaunchError) {
        program = try LaunchedProgram(command, url: page)
        return
      } catch {
        failure = error.message
      }
    }
    program = nil
    guard request.prompt != nil else {
      throw .browserUnavailable("No browser could be opened: \(failure)")
    }
    (method, reason) = (.shownAddress, .openerFailed)
    showPrompt("No browser could be opened: \(failure).")
  }

  /// Checks the status of the started program, and starts the next command if it failed.
  private mutating func checkProgram() throws(TesseraError) {
    switch program?.state() {
    case .failed(let message): try open(after: message)
    case .succeeded, nil: program = nil
    case .starting: break
    }
  }
}
