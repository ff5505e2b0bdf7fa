// SPDX-License-Identifier: MIT
// One sign-in in a web view, from its window to the authorization response.

import CLibrary
import TesseraEngine
import TesseraWire

/// One sign-in: the program with its window, and the wait.
///
/// No socket listens at the redirect URI. The web view intercepts the navigation to it.
final class WebViewSession: BrowserSession {
  var redirectURI: String { request.redirectURI }
  let reason: String

  private let request: BrowserRequest
  private let limits: CallLimits
  private let wake: WakePipe
  private let time: any TimeSource
  private let network: NetworkSettings
  private let path: String
  /// Lets the next sign-in start; nil once it was called.
  private var release: (() -> Void)?
  private var program: WebViewProgram?
  /// The events that were not handled yet.
  private var events: ArraySlice<WebViewProgram.Event> = []
  private var foreignResponses = 0

  /// The maximum number of responses to other sign-ins.
  ///
  /// A page that sends more is probably in a redirect loop.
  private static let foreignLimit = 16

  /// Creates a sign-in and finds the web view program.
  ///
  /// - Parameters:
  ///   - reason: The reason for showing the page in a web view.
  ///   - release: Lets the next sign-in start; called at the end of the session.
  init(
    _ request: BrowserRequest, _ limits: CallLimits, reason: String, network: NetworkSettings,
    time: any TimeSource, release: @escaping () -> Void
  ) throws(TesseraError) {
    guard let wake = WakePipe() else { throw .noDescriptorLeft }
    path = try WebViewLocation.find(chosen: request.preferences.webviewProgram)
    self.request = request
    self.limits = limits
    self.wake = wake
    self.time = time
    self.network = network
    self.reason = reason
    self.release = release
  }

  deinit { close() }

  /// Reports the page to the host application, and shows it.
  func open(_ page: String) throws(TesseraError) {
    guard let address = WebURL(page), address.mayCarrySecrets else {
      throw TesseraError(
        .fixConfiguration, .navigationRefused,
        "The web view does not open the URL of the sign-in page: it is neither https nor http on this machine."
      )
    }
    request.prompt?(
      SignInPrompt(url: page, opensBrowser: true, reason: reason, redirectURI: redirectURI))
    try limits.check(time)
    program = try WebViewProgram(
      path: path,
      WebViewProgram.Request(
        page: page, redirectURI: redirectURI,
        isEphemeral: request.preferences.prefersEphemeralWebBrowserSession, network: network))
  }

  /// Waits until a page redirects to the redirect URI.
  func next() throws(TesseraError) -> RawAuthorizationResponse {
    try limits.waking(wake, nextRedirect)
  }

  private func nextRedirect() throws(TesseraError) -> RawAuthorizationResponse {
    guard foreignResponses < WebViewSession.foreignLimit else {
      throw TesseraError(
        .fixRequest, .stateMismatch,
        "The sign-in page repeatedly sent responses with a different state.")
    }
    while let program {
      while let event = events.popFirst() {
        switch event {
        case .message(.redirected(let address)): return .address(Secret(address))
        case .message(let message): throw message.error
        case .broken(let reason): throw failure(reason)
        case .ended(let status):
          throw failure(status.map { "it exited with status \($0)" } ?? "it exited")
        }
      }
      events = program.events()[...]
      guard events.isEmpty else { continue }
      try limits.check(time)
      wait(for: program)
    }
    throw failure("it was not started")
  }

  private func wait(for program: WebViewProgram) {
    var entries = program.entries
    entries.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
    let milliseconds = limits.pollMilliseconds(time)
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
  }

  /// Counts the responses to other sign-ins; the web view shows no page of the library.
  func reply(_ reply: BrowserReply) {
    if case .foreign = reply { foreignResponses += 1 }
  }

  /// Closes the window, and lets the next sign-in start.
  func close() {
    program = nil
    release?()
    release = nil
  }

  private func failure(_ reason: String) -> TesseraError {
    TesseraError(
      .retryLater, .webviewFailed,
      "The web view failed: \(reason). Try again, or sign in with the system browser."
    )
  }
}

extension WebViewMessage {
  /// The error with which a message ends the sign-in.
  fileprivate var error: TesseraError {
    switch self {
    case .closed:
      TesseraError(.cancelled, .cancelled, "The user closed the window.")
    case .posted:
      TesseraError(
        .signIn, .invalidAuthorizationResponse,
        "The provider sent its response as a form post, which a web view cannot read: request response_mode "
          + "\"query\", or sign in with the system browser.")
    case .refused(let scheme):
      TesseraError(
        .fixConfiguration, .navigationRefused,
        "The sign-in page navigated to an address (\(scheme.plain(atMost: 40)):) that is neither https, nor http on this "
          + "machine, nor the redirect URI. Compare redirect_uri with the registration."
      )
    case .untrusted(let host, let issuer):
      TesseraError(
        .fixConfiguration, .certificateUntrusted,
        "The certificate of \(host.plain(atMost: 255)) is not trusted by the web view"
          + (issuer.map { "; it was issued by \($0.plain(atMost: 300))" } ?? "")
          + ". If this is the certificate authority of your organization, add its certificate to the system."
      )
    case .unavailable(let reason):
      TesseraError(
        .fixConfiguration, .webviewUnavailable,
        "The web view cannot be shown: \(reason.plain(atMost: 200)).")
    case .failed(let reason), .redirected(let reason):
      TesseraError(
        .retryLater, .webviewFailed, "The web view failed: \(reason.plain(atMost: 200)).")
    }
  }
}
