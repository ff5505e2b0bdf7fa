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

  /// Starts a sign-in; the only one of the application until the session is closed.
  ///
  /// - Throws: `interactionInProgress`, `redirectPortTaken`, `browserUnavailable`, `webviewUnavailable`, `cancelled` at the
  ///   limits.
  package func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    let limits = CallLimits(
      timeout: request.timeout, cancellation: request.cancellation, time: time)
    try limits.check(time)
    try signInLock.acquire(within: limits)
    do throws(TesseraError) {
      if request.preferences.webviewType == .embedded {
        return try WebViewSession(
          request, limits, reason: BrowserDecision.Reason.chosen.rawValue, network: network,
          time: time, release: signInLock.release)
      }
      let decision = BrowserDecision(
        facts(), request.preferences.choice, canShow: request.prompt != nil)
      return try SystemBrowserSession(
        request, decision, limits, lock: signInLock, directories: directories(), time: time)
    } catch {
      signInLock.release()
      throw error
    }
  }
}
