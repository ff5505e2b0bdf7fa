// SPDX-License-Identifier: MIT
// The browser of this machine, and the redirect URI on it.

package import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Opens the user's browser, and listens for the answer on the loopback interface.
package final class SystemBrowser: Browser {
  private let time: any TimeSource
  private let network: NetworkSettings
  let facts: @Sendable () -> EnvironmentFacts
  let folders: @Sendable () -> DesktopFolders
  private let places: @Sendable () -> [MeetingPlace]
  /// The sign-in that waits.
  private let busy = BriefLock<Holder?>(nil)

  /// Whose sign-in waits: a child of fork() waits for nothing.
  private struct Holder {
    let process: Int32
    let cancellation: Cancellation?
  }

  /// The browser of this machine.
  package init(
    time: any TimeSource, network: NetworkSettings = NetworkSettings(),
    facts: @escaping @Sendable () -> EnvironmentFacts = { EnvironmentFacts.current },
    places: @escaping @Sendable () -> [MeetingPlace] = { MeetingPlace.all },
    folders: @escaping @Sendable () -> DesktopFolders = { DesktopFolders.current }
  ) {
    self.time = time
    self.network = network
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
    try begin(within: limits)
    defer { busy.withLock { $0 = nil } }
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

  private func begin(within limits: CallLimits) throws(TesseraError) {
    // One that was cancelled is about to end: who awaited it may know before its listener is closed.
    for _ in 0..<200 {
      guard let holder = holder(or: limits.cancellation) else { return }
      guard holder.cancellation?.isCancelled == true else { break }
      try time.wait(nanoseconds: 5_000_000, within: limits)
    }
    throw TesseraError(
      .fixRequest, .interactionInProgress,
      "This application is signing somebody in already: wait until that call has ended, or cancel it."
    )
  }

  /// Whose sign-in waits; nil for this one, if there is no other.
  private func holder(or cancellation: Cancellation?) -> Holder? {
    busy.withLock { holder in
      if let holder, holder.process == getpid() { return holder }
      holder = Holder(process: getpid(), cancellation: cancellation)
      return nil
    }
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
