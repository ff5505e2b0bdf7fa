// SPDX-License-Identifier: MIT
// One sign-in in a web view, from its window to the authorization response.

import CLibrary
import TesseraEngine
import TesseraWire

/// One sign-in: the URL of its page, the program with its window, and the wait.
///
/// No socket listens at the redirect URI. The web view intercepts the navigation to it.
struct WebViewSession {
  private let request: BrowserRequest
  private let wake: WakePipe
  private let time: any TimeSource
  private let network: NetworkSettings
  private let path: String
  private let reason: String
  private var foreignResponses = 0

  /// The maximum number of responses to other sign-ins.
  ///
  /// A page that sends more is probably in a redirect loop.
  private static let foreignLimit = 16
  /// The maximum duration of one poll, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let maximumWaitNanoseconds: UInt64 = 1_000_000_000

  /// Creates a sign-in and finds the web view program.
  ///
  /// - Parameter reason: The reason for showing the page in a web view, for the prompt and the response.
  init(
    _ request: BrowserRequest, reason: String, wake: WakePipe, network: NetworkSettings,
    time: any TimeSource
  ) throws(TesseraError) {
    self.request = request
    self.reason = reason
    self.wake = wake
    self.time = time
    self.network = network
    path = try WebViewLocation.find(chosen: request.preferences.webviewProgram)
  }

  /// Reports the page to the host application, shows it, and waits for the authorization response.
  mutating func run(within limits: CallLimits) throws(TesseraError) -> BrowserResponse {
    let page = try request.page(request.redirectURI)
    guard let address = WebURL(page), address.mayCarrySecrets else {
      throw TesseraError(
        .fixConfiguration, .navigationRefused,
        "The web view does not open the URL of the sign-in page: it is neither https nor http on this machine."
      )
    }
    var prompt = SignInPrompt(url: page, opensBrowser: true, reason: reason)
    prompt.redirectURI = request.redirectURI
    request.prompt?(prompt)
    try limits.check(time)
    let program = try WebViewProgram(
      path: path,
      WebViewProgram.Request(
        page: page, redirectURI: request.redirectURI,
        isEphemeral: request.preferences.prefersEphemeralWebBrowserSession, network: network))
    while true {
      for event in program.events() {
        if let response = try response(of: event) {
          return BrowserResponse(response, reason: reason)
        }
      }
      try limits.check(time)
      wait(for: program, limits)
    }
  }

  private func wait(for program: WebViewProgram, _ limits: CallLimits) {
    var entries = program.entries
    entries.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
    let milliseconds = limits.pollMilliseconds(atMost: WebViewSession.maximumWaitNanoseconds, time)
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
  }

  /// Returns the authorization response of an event; nil if it belongs to another sign-in.
  private mutating func response(
    of event: WebViewProgram.Event
  ) throws(TesseraError) -> RawAuthorizationResponse? {
    switch event {
    case .message(.redirected(let address)):
      let response = RawAuthorizationResponse.address(Secret(address))
      guard case .foreign = request.classify(response) else { return response }
      foreignResponses += 1
      guard foreignResponses < WebViewSession.foreignLimit else {
        throw TesseraError(
          .fixRequest, .stateMismatch,
          "The sign-in page repeatedly sent responses with a different state.")
      }
      return nil
    case .message(let message): throw message.error
    case .broken(let reason): throw failure(reason)
    case .ended(let status):
      throw failure(status.map { "it exited with status \($0)" } ?? "it exited")
    }
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
