// SPDX-License-Identifier: MIT
// The decision whether and how a browser is opened, as a pure function of the environment.

package import TesseraEngine
import TesseraWire

/// The way in which the user reaches the provider's page.
package struct BrowserDecision: Sendable, Equatable {
  /// The way to the page.
  package let method: Method
  /// The reason for this way.
  package let reason: Reason
  /// The commands that can open the page, in order of preference.
  package let commands: [BrowserCommand]

  /// A way to the page.
  package enum Method: String, Sendable {
    /// The library opens the user's browser.
    case systemBrowser = "system_browser"
    /// The host application shows the URL, and the user opens it in any browser.
    case shownAddress = "shown_address"
    /// The page cannot be opened from here; use a device code instead.
    case deviceCode = "device_code"
  }

  /// The reason for which a way was chosen.
  package enum Reason: String, Sendable, CaseIterable {
    /// The application requested it.
    case chosen
    /// `BROWSER` names an installed program.
    case browserVariable = "browser_variable"
    /// A desktop was detected.
    case desktop
    /// This is WSL, and the Windows browser can be opened.
    case wsl
    /// The user is connected by SSH, with a display.
    case sshDisplay = "ssh_display"
    /// The user is connected by SSH, without a display.
    case ssh
    /// This is WSL, and the Windows browser cannot be opened: `wslview` is missing.
    case wslWithoutOpener = "wsl_without_opener"
    /// This is a container without a display.
    case container
    /// This is an unattended CI job.
    case automation = "ci"
    /// No display was found.
    case noDisplay = "no_display"
    /// The process runs with `sudo`, so the browser would not run as the user.
    case sudo
    /// The process runs as root, and browsers refuse to run as root.
    case root
    /// No program that opens URLs is installed.
    case noOpener = "no_opener"
    /// Every started opener failed.
    case openerFailed = "opener_failed"
  }

  /// Decides on the way to the page.
  ///
  /// - Parameter canShow: Whether the host application shows the URL to the user if no browser is opened.
  package init(_ facts: EnvironmentFacts, _ choice: BrowserChoice, canShow: Bool) {
    let isWSL = facts.isWSL
    let chosen = BrowserCommand.chosen(facts)
    commands = chosen + BrowserCommand.systemOpeners(facts, isWSL: isWSL)
    let fallback = canShow ? Method.shownAddress : .deviceCode
    switch choice {
    case .show: (method, reason) = (fallback, .chosen)
    case .open where commands.isEmpty: (method, reason) = (fallback, .noOpener)
    case .open: (method, reason) = (.systemBrowser, .chosen)
    case .automatic where !chosen.isEmpty: (method, reason) = (.systemBrowser, .browserVariable)
    case .automatic:
      let (hasBrowser, why) = BrowserDecision.decide(facts, isWSL, !commands.isEmpty)
      (method, reason) = (hasBrowser ? .systemBrowser : fallback, why)
    }
  }

  /// Decides from the environment alone, for an application without a preference.
  private static func decide(
    _ facts: EnvironmentFacts, _ isWSL: Bool, _ hasOpener: Bool
  ) -> (hasBrowser: Bool, Reason) {
    if facts.isAutomation { return (false, .automation) }
    if isWSL, facts.programs["wslview"] != nil { return (true, .wsl) }
    guard facts.hasDisplay else {
      if isWSL { return (false, .wslWithoutOpener) }
      if facts.isSSH { return (false, .ssh) }
      return (false, facts.isContainer ? .container : .noDisplay)
    }
    if facts.userID == 0, !facts.isApple {
      return (false, facts.variables["SUDO_UID"] == nil ? .root : .sudo)
    }
    guard hasOpener else { return (false, isWSL ? .wslWithoutOpener : .noOpener) }
    if isWSL { return (true, .wsl) }
    return (true, facts.isSSH ? .sshDisplay : .desktop)
  }
}

extension EnvironmentFacts {
  fileprivate var hasDisplay: Bool {
    if isApple { return !isSSH }
    return variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil
  }

  fileprivate var isSSH: Bool {
    ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { variables[$0] != nil }
  }

  /// Whether the process runs in WSL.
  ///
  /// The release of Microsoft's kernel contains "microsoft". With another kernel, only the variables indicate WSL.
  fileprivate var isWSL: Bool {
    kernel.lowercased().contains("microsoft") || variables["WSL_INTEROP"] != nil
      || variables["WSL_DISTRO_NAME"] != nil
  }

  fileprivate var isContainer: Bool { !files.isEmpty || variables["container"] != nil }

  /// Whether the process is a CI job.
  ///
  /// Most services set `CI`; Azure Pipelines sets `TF_BUILD`.
  fileprivate var isAutomation: Bool {
    ["CI", "TF_BUILD"].contains { name in
      variables[name].map { !["0", "false", "no"].contains($0.lowercased()) } ?? false
    }
  }
}
