// SPDX-License-Identifier: MIT
// One sign-in in the user's browser, from the listener to the authorization response.

import CLibrary
import TesseraEngine
import TesseraWire

/// One sign-in: its listener, the URL of its page, the program that opens the page, and the wait.
final class SystemBrowserSession: BrowserSession {
  let redirectURI: String
  var reason: String { decisionReason.rawValue }

  private let request: BrowserRequest
  private let limits: CallLimits
  private let directories: [RendezvousDirectory]
  private let wake: WakePipe
  private let time: any TimeSource
  private var lock: InteractiveSignInLock?
  private var page = ""
  private var method: BrowserDecision.Method
  private var decisionReason: BrowserDecision.Reason
  private var commands: ArraySlice<BrowserCommand>
  private var program: LaunchedProgram?
  /// The server at the redirect URI; nil if this process cannot listen there.
  private var server: RedirectServer?
  private var lines: PastedLines
  /// The pasted lines that were not returned yet.
  private var pasted: ArraySlice<String> = []
  private var isPasted = false

  /// The time that the browser has to fetch the final page, in nanoseconds.
  private static let pageTimeoutNanoseconds: UInt64 = 2_000_000_000

  /// Starts listening, unless the redirect URI has a custom scheme: the name of its socket depends on the page.
  ///
  /// - Parameters:
  ///   - lock: The lock of the sign-in, which the session releases.
  ///   - directories: The directories in which responses to a redirect URI with a custom scheme are delivered.
  init(
    _ request: BrowserRequest, _ decision: BrowserDecision, _ limits: CallLimits,
    lock: InteractiveSignInLock, directories: [RendezvousDirectory], time: any TimeSource
  ) throws(TesseraError) {
    try PastedLines.check(request.preferences.answerDescriptor)
    guard decision.method != .deviceCode else { throw decision.error }
    guard let wake = WakePipe() else { throw .noDescriptorLeft }
    if let address = LoopbackRedirectURI(request.redirectURI) {
      let listener = try LoopbackListener(address)
      redirectURI = address.text(port: listener.port)
      server = RedirectServer(
        listener,
        LoopbackRedirectHandler(
          address, port: listener.port, preferences: request.preferences,
          messages: request.messages))
    } else {
      redirectURI = request.redirectURI
      guard
        RedirectScheme(of: redirectURI) != nil || request.preferences.answerDescriptor != nil
      else {
        throw TesseraError(
          .fixRequest, .invalidRedirectURI,
          "The library cannot listen at \(redirectURI). Use http://localhost, or begin and complete the sign-in "
            + "yourself.")
      }
    }
    self.request = request
    self.limits = limits
    self.directories = directories
    self.wake = wake
    self.time = time
    self.lock = lock
    method = decision.method
    decisionReason = decision.reason
    commands = decision.method == .systemBrowser ? decision.commands[...] : []
    lines = PastedLines(request.preferences.answerDescriptor)
  }

  deinit { close() }

  /// Shows and opens the page.
  func open(_ page: String) throws(TesseraError) {
    guard WebURL(page) != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The URL of the sign-in page is not an http or https URL.")
    }
    if server == nil, RedirectScheme(of: redirectURI) != nil {
      server = RedirectServer(
        try RendezvousListener(for: page, in: directories), DeliveredRedirectHandler())
    }
    self.page = page
    showPrompt()
    if method == .systemBrowser { try open(after: "") }
  }

  /// Waits until a redirect is received or pasted.
  func next() throws(TesseraError) -> RawAuthorizationResponse {
    try limits.waking(wake, nextRedirect)
  }

  private func nextRedirect() throws(TesseraError) -> RawAuthorizationResponse {
    while true {
      if let line = pasted.popFirst() {
        isPasted = true
        return RawAuthorizationResponse(pasted: line, redirectURI: redirectURI)
      }
      try checkSources()
      try limits.check(time)
      let ready = poll(until: .max)
      if let redirect = server?.serve(ready, now: time.monotonicNanoseconds) {
        isPasted = false
        return redirect
      }
      if let program, ready.contains(program.descriptor) { try checkProgram(program) }
      if let descriptor = lines.descriptor, ready.contains(descriptor) {
        pasted = lines.read()[...]
      }
    }
  }

  /// Replies in the browser, or to a pasted line with a prompt.
  func reply(_ reply: BrowserReply) {
    guard !isPasted else {
      if case .foreign = reply { showPrompt(request.messages[.wrongURLPasted]) }
      return
    }
    server?.reply(reply)
    if case .foreign = reply { return }
    limits.waking(wake, serveFinalPage)
  }

  /// Serves until the browser has fetched the final page, or has had the time to do so.
  private func serveFinalPage() {
    // Real time, because the host's clock may stand still.
    let clock = SystemTime()
    let end = clock.monotonicNanoseconds.adding(SystemBrowserSession.pageTimeoutNanoseconds)
    while server?.isOver == false, clock.monotonicNanoseconds < end {
      // The code can be redeemed only once: the response counts, even at the limits.
      guard (try? limits.check(time)) != nil else { return }
      let left = end - min(clock.monotonicNanoseconds, end)
      let ready = poll(until: time.monotonicNanoseconds.adding(left))
      _ = server?.serve(ready, now: time.monotonicNanoseconds)
    }
  }

  /// Stops listening, and lets the next sign-in start.
  func close() {
    server = nil
    program = nil
    lock?.release()
    lock = nil
  }

  /// Polls once and returns the descriptors that are ready.
  private func poll(until end: UInt64) -> Set<Int32> {
    let now = time.monotonicNanoseconds
    var entries = [wake.descriptor, lines.descriptor, program?.descriptor].compactMap { $0 }
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    entries += server?.entries(now) ?? []
    let end = min(end, server?.deadline(now) ?? .max)
    let milliseconds = limits.pollMilliseconds(
      atMost: min(end > now ? end - now : 0, 1_000_000_000), time)
    guard pollDescriptors(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
    return Set(entries.lazy.filter { $0.revents != 0 }.map(\.fd))
  }

  private func showPrompt(_ problem: String? = nil) {
    request.prompt?(
      SignInPrompt(
        url: page, opensBrowser: method == .systemBrowser, reason: reason,
        redirectURI: redirectURI, problem: problem))
  }

  /// Throws if no source is left from which a redirect could be received.
  private func checkSources() throws(TesseraError) {
    guard server == nil, lines.descriptor == nil else { return }
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
  private func open(after failure: String) throws(TesseraError) {
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
    (method, decisionReason) = (.shownAddress, .openerFailed)
    showPrompt("No browser could be opened: \(failure).")
  }

  /// Checks the status of the started program, and starts the next command if it failed.
  private func checkProgram(_ started: LaunchedProgram) throws(TesseraError) {
    switch started.state() {
    case .failed(let message): try open(after: message)
    case .succeeded: program = nil
    case .starting: break
    }
  }
}

extension BrowserDecision {
  /// The error for a machine without a way to the page.
  fileprivate var error: TesseraError {
    .browserUnavailable("No browser here (\(reason.rawValue))")
  }
}

extension TesseraError {
  /// Returns the error for a sign-in whose page can be neither opened nor shown.
  fileprivate static func browserUnavailable(_ problem: String) -> TesseraError {
    var error = TesseraError(
      .fixConfiguration, .browserUnavailable,
      "\(problem). Sign in with a device code, or pass a prompt callback that shows the URL.")
    error.browserProblem = problem
    return error
  }
}

/// `poll(2)`.
///
/// Inside ``SystemBrowserSession`` the name refers to the method.
private func pollDescriptors(
  _ entries: inout [pollfd], _ count: nfds_t, _ milliseconds: Int32
) -> Int32 {
  poll(&entries, count, milliseconds)
}
