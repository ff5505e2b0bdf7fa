// SPDX-License-Identifier: MIT
// Whether a sign-in opens a browser on this machine.

import TesseraPlatform

/// Whether an interactive sign-in opens a browser here, and why.
public struct BrowserAvailability: Sendable, Hashable {
  /// Whether a browser is opened.
  ///
  /// If not, show the address to the user, or sign in with a device code.
  public let opensBrowser: Bool
  /// The reason, as listed in docs/interactive.md.
  public let reason: String

  /// Detects the environment of this process for ``BrowserChoice/automatic``, without opening anything.
  public init() {
    let decision = BrowserDecision(.current, .automatic, canShow: false)
    opensBrowser = decision.method == .systemBrowser
    reason = decision.reason.rawValue
  }
}
