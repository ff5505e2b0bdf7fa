// SPDX-License-Identifier: MIT
// One sign-in in a browser, from the listener to the answer.

import TesseraEngine
import TesseraWire

/// One sign-in: its listener, its address, the program that opens it, and the wait.
struct BrowserSession {
  private let request: BrowserRequest
  private let redirectURI: String
  private let page: String
  private var way: BrowserSituation.Way
  private var reason: BrowserSituation.Reason
  private var commands: ArraySlice<BrowserCommand>
  private var program: StartedProgram?
  private var wait: AnswerWait

  /// Makes ready for the answer, and asks for the address.
  ///
  /// - Parameter places: where the answer to a redirect URI of a scheme is handed over.
  init(
    _ request: BrowserRequest, _ situation: BrowserSituation, places: [RendezvousSocket],
    wake: WakePipe, time: any TimeSource
  ) throws(TesseraError) {
    self.request = request
    way = situation.way
    reason = situation.reason
    commands = situation.way == .systemBrowser ? situation.commands[...] : []
    let place: Place?
    (place, redirectURI, page) = try BrowserSession.ready(request, places)
    guard WebAddress(page) != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration, "The provider's page has no address of the web.")
    }
    wait = AnswerWait(
      place, lines: PastedLines(request.preferences.answerDescriptor), wake: wake, time: time)
  }

  /// What is listened to, and what is said there.
  private typealias Place = (listener: any AnswerListener, conversation: any AnswerConversation)

  /// Listens for the answer, as its redirect URI wants it, and asks for the address of the page.
  private static func ready(
    _ request: BrowserRequest, _ places: [RendezvousSocket]
  ) throws(TesseraError) -> (Place?, redirectURI: String, page: String) {
    if let address = LoopbackAddress(request.redirectURI) {
      let listener = try LoopbackListener(address)
      let redirectURI = address.text(port: listener.port)
      let conversation = LoopbackConversation(
        address, port: listener.port, preferences: request.preferences, verdict: request.verdict)
      return ((listener, conversation), redirectURI, try request.page(redirectURI))
    }
    let redirectURI = request.redirectURI
    if RedirectScheme(of: redirectURI) != nil {
      // Where it listens depends on the state of the page.
      let page = try request.page(redirectURI)
      let listener = try RendezvousListener(for: page, in: places)
      return ((listener, HandoverConversation(verdict: request.verdict)), redirectURI, page)
    }
    guard request.preferences.answerDescriptor != nil else {
      throw TesseraError(
        .fixRequest, .invalidRedirectURI,
        "\(redirectURI) is no address at which this library can listen: use http://localhost, or begin and "
          + "complete the sign-in yourself.")
    }
    return (nil, redirectURI, try request.page(redirectURI))
  }

  /// Shows and opens the page, and waits.
  mutating func run(within limits: CallLimits) throws(TesseraError) -> BrowserAnswer {
    tell()
    if way == .systemBrowser { try open(after: "") }
    while true {
      switch try wait.next(program, within: limits) {
      case .answer(let answer): return answered(answer)
      case .lines(let lines):
        if let answer = pasted(lines) { return answered(answer) }
        try checkWays()
      case .program: try follow()
      }
    }
  }

  private func answered(_ answer: AuthorizationAnswer) -> BrowserAnswer {
    BrowserAnswer(answer, reason: reason.rawValue)
  }

  private func tell(_ problem: String? = nil) {
    var prompt = SignInPrompt(
      url: page, opensBrowser: way == .systemBrowser, reason: reason.rawValue)
    prompt.redirectURI = redirectURI
    prompt.problem = problem
    request.prompt?(prompt)
  }

  /// The answer among the lines that a person has pasted.
  private func pasted(_ lines: [String]) -> AuthorizationAnswer? {
    for line in lines {
      let answer = AuthorizationAnswer(pasted: line, redirectURI: redirectURI)
      guard case .foreign = request.verdict(answer) else {
        return answer
      }
      tell("What was pasted is not the answer to this sign-in.")
    }
    return nil
  }

  /// Checks that the answer can still come.
  private func checkWays() throws(TesseraError) {
    guard wait.place == nil, wait.lines.descriptor == nil else { return }
    throw TesseraError(
      .fixConfiguration, .browserUnavailable,
      "Nobody can paste the answer any more: what answer_descriptor leads to has ended, and the redirect URI is not of "
        + "this machine.")
  }

  /// Starts the next program that may open the page.
  private mutating func open(after failure: String) throws(TesseraError) {
    var failure = failure
    while let command = commands.popFirst() {
      do throws(ProgramFailure) {
        program = try StartedProgram(command, url: page)
        return
      } catch {
        failure = error.words
      }
    }
    program = nil
    guard request.prompt != nil else {
      throw TesseraError(
        .fixConfiguration, .browserUnavailable,
        "No browser could be opened: \(failure). Sign in with a device code, or show the address.")
    }
    (way, reason) = (.shownAddress, .openerFailed)
    tell("No browser could be opened: \(failure).")
  }

  /// Looks at what became of the program.
  private mutating func follow() throws(TesseraError) {
    switch program?.state() {
    case .failed(let words): try open(after: words)
    case .works, nil: program = nil
    case .starting: break
    }
  }
}
