// SPDX-License-Identifier: MIT
// The browser of this machine, and the redirect URI on it.

package import TesseraEngine
import TesseraWire

/// Opens the user's browser, and listens for the answer on the loopback interface.
package final class SystemBrowser: Browser {
  private let time: any TimeSource
  private let network: NetworkSettings
  let facts: @Sendable () -> EnvironmentFacts
  let folders: @Sendable () -> DesktopFolders
  private let places: @Sendable () -> [RendezvousSocket]
  private let turn: SignInTurn

  /// The browser of this machine.
  ///
  /// - Parameter turn: that of the application, if others show a person something too.
  package init(
    time: any TimeSource, network: NetworkSettings = NetworkSettings(), turn: SignInTurn? = nil,
    facts: @escaping @Sendable () -> EnvironmentFacts = { EnvironmentFacts.current },
    places: @escaping @Sendable () -> [RendezvousSocket] = { RendezvousSocket.all },
    folders: @escaping @Sendable () -> DesktopFolders = { DesktopFolders.current }
  ) {
    self.time = time
    self.network = network
    self.turn = turn ?? SignInTurn(time: time)
    self.facts = facts
    self.places = places
    self.folders = folders
  }

  /// Waits for the answer of a sign-in.
  ///
  /// - Throws: `interactionInProgress`, `redirectPortTaken`, `browserUnavailable`, `cancelled` at the limits, and what
  ///   the request throws.
  package func answer(
    to request: BrowserRequest, within limits: CallLimits
  ) throws(TesseraError) -> BrowserAnswer {
    try limits.check(time)
    try turn.begin(within: limits)
    defer { turn.end() }
    let situation = BrowserSituation(
      facts(), request.preferences.choice, canShow: request.prompt != nil)
    let isEmbedded = request.preferences.webviewType == .embedded
    if !isEmbedded { try PastedLines.check(request.preferences.answerDescriptor) }
    guard isEmbedded || situation.way != .deviceCode else { throw situation.error }
    guard let wake = WakePipe() else { throw .noDescriptorLeft }
    let (time, network) = (self.time, self.network)
    let wait = { () throws(TesseraError) in
      if isEmbedded {
        var session = try WebViewSession(request, wake: wake, network: network, time: time)
        return try session.run(within: limits)
      }
      var session = try BrowserSession(
        request, situation, places: self.places(), wake: wake, time: time)
      return try session.run(within: limits)
    }
    guard let cancellation = limits.cancellation else { return try wait() }
    return try cancellation.waking(with: { wake.wake() }, wait)
  }
}

extension BrowserSituation {
  /// Why nobody can sign in here.
  fileprivate var error: TesseraError {
    TesseraError(
      .fixConfiguration, .browserUnavailable,
      "There is no browser to open here (\(reason.rawValue)), and nobody to show the address to: sign in with a "
        + "device code, or show the address.")
  }
}
