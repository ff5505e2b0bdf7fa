// SPDX-License-Identifier: MIT
// The browser of this machine and the listener for its redirect.

package import TesseraEngine
import TesseraWire

/// The user's browser, with a listener for the authorization response.
package final class SystemBrowser: Browser {
  private let time: any TimeSource
  private let network: NetworkSettings
  let facts: @Sendable () -> EnvironmentFacts
  let folders: @Sendable () -> DesktopDirectories
  private let directories: @Sendable () -> [RendezvousDirectory]
  private let signInLock: InteractiveSignInLock

  /// Creates the browser of this machine.
  ///
  /// - Parameter signInLock: The lock for interactive sign-ins of the application; nil to create one.
  package init(
    time: any TimeSource, network: NetworkSettings = NetworkSettings(),
    signInLock: InteractiveSignInLock? = nil,
    facts: @escaping @Sendable () -> EnvironmentFacts = { EnvironmentFacts.current },
    directories: @escaping @Sendable () -> [RendezvousDirectory] = { RendezvousDirectory.all },
    folders: @escaping @Sendable () -> DesktopDirectories = { DesktopDirectories.current }
  ) {
    self.time = time
    self.network = network
    self.signInLock = signInLock ?? InteractiveSignInLock(time: time)
    self.facts = facts
    self.directories = directories
    self.folders = folders
  }

  /// Waits for the authorization response of a sign-in.
  ///
  /// - Throws: `interactionInProgress`, `redirectPortTaken`, `browserUnavailable`, `cancelled` at the limits, and the errors of
  ///   the request.
  package func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserResponse {
    try limits.check(time)
    try signInLock.acquire(within: limits)
    defer { signInLock.release() }
    let decision = BrowserDecision(
      facts(), request.preferences.choice, canShow: request.prompt != nil)
    let isEmbedded = request.preferences.webviewType == .embedded
    if !isEmbedded { try PastedLines.check(request.preferences.answerDescriptor) }
    guard isEmbedded || decision.method != .deviceCode else { throw decision.error }
    guard let wake = WakePipe() else { throw .noDescriptorLeft }
    let (time, network) = (self.time, self.network)
    let wait = { () throws(TesseraError) in
      if isEmbedded {
        var session = try WebViewSession(
          request, reason: BrowserDecision.Reason.chosen.rawValue, wake: wake, network: network,
          time: time)
        return try session.run(within: limits)
      }
      var session = try BrowserSession(
        request, decision, directories: self.directories(), wake: wake, time: time)
      return try session.run(within: limits)
    }
    guard let cancellation = limits.cancellation else { return try wait() }
    return try cancellation.waking(with: { wake.wake() }, wait)
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
  static func browserUnavailable(_ problem: String) -> TesseraError {
    var error = TesseraError(
      .fixConfiguration, .browserUnavailable,
      "\(problem). Sign in with a device code, or pass a prompt callback that shows the URL.")
    error.browserProblem = problem
    return error
  }
}
