// SPDX-License-Identifier: MIT
// The decision whether a browser is opened, and why: no process is looked at here.

package import TesseraEngine

/// How a person gets to the provider's page from here.
package struct BrowserSituation: Sendable, Equatable {
  /// The way.
  package let way: Way
  /// Why it is this one.
  package let reason: Reason
  /// What opens the page, the best first.
  package let commands: [BrowserCommand]

  /// A way to the page.
  package enum Way: String, Sendable {
    /// The user's browser is opened with it.
    case systemBrowser = "system_browser"
    /// The host shows the address, and the person opens it somewhere.
    case shownAddress = "shown_address"
    /// None from here: a code on another device is what works.
    case deviceCode = "device_code"
  }

  /// Why a way was chosen.
  package enum Reason: String, Sendable, CaseIterable {
    /// The program wanted it so.
    case chosen
    /// `BROWSER` names a program.
    case browserVariable = "browser_variable"
    /// There is a desktop.
    case desktop
    /// This is Linux on Windows, whose browser can be opened.
    case wsl
    /// Somebody is connected by SSH, with a display.
    case sshDisplay = "ssh_display"
    /// Somebody is connected by SSH, without a display.
    case ssh
    /// This is Linux on Windows, whose browser cannot be opened: `wslview` is missing.
    case wslWithoutOpener = "wsl_without_opener"
    /// This is a container without a display.
    case container
    /// This is a job that nobody watches.
    case automation = "ci"
    /// There is no display.
    case noDisplay = "no_display"
    /// The program runs with `sudo`: the browser would not be the user's.
    case sudo
    /// The program runs as root, as which browsers refuse to run.
    case root
    /// No program that opens an address is installed.
    case noOpener = "no_opener"
    /// Whatever was started to open the page has failed.
    case openerFailed = "opener_failed"
  }

  /// Decides.
  ///
  /// - Parameter canShow: whether the host shows the address to a person when no browser is opened.
  package init(_ facts: EnvironmentFacts, _ choice: BrowserChoice, canShow: Bool) {
    let isWSL = facts.isWSL
    let chosen = BrowserCommand.chosen(facts)
    commands = chosen + BrowserCommand.usual(facts, isWSL: isWSL)
    let fallback = canShow ? Way.shownAddress : .deviceCode
    switch choice {
    case .show: (way, reason) = (fallback, .chosen)
    case .open where commands.isEmpty: (way, reason) = (fallback, .noOpener)
    case .open: (way, reason) = (.systemBrowser, .chosen)
    case .automatic where !chosen.isEmpty: (way, reason) = (.systemBrowser, .browserVariable)
    case .automatic:
      let (hasBrowser, why) = BrowserSituation.judge(facts, isWSL, !commands.isEmpty)
      (way, reason) = (hasBrowser ? .systemBrowser : fallback, why)
    }
  }

  /// What the surroundings mean, without anybody's wish.
  private static func judge(
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

  /// Microsoft's kernel has its name in its release; under another one the variables tell.
  fileprivate var isWSL: Bool {
    kernel.lowercased().contains("microsoft") || variables["WSL_INTEROP"] != nil
      || variables["WSL_DISTRO_NAME"] != nil
  }

  fileprivate var isContainer: Bool { !files.isEmpty || variables["container"] != nil }

  /// `CI` is set by most services, `TF_BUILD` by Azure Pipelines.
  fileprivate var isAutomation: Bool {
    ["CI", "TF_BUILD"].contains { name in
      variables[name].map { !["0", "false", "no"].contains($0.lowercased()) } ?? false
    }
  }
}
