// SPDX-License-Identifier: MIT
// Facts about the environment that decide whether a browser can be opened.

import CLibrary
import CTesseraSystem

/// Facts about the environment of a process.
///
/// The table of decisions is in docs/interactive.md.
package struct EnvironmentFacts: Sendable, Equatable {
  /// The environment variables that are set and not empty.
  package var variables: [String: String] = [:]
  /// The files of ``fileNames`` that exist.
  package var files: Set<String> = []
  /// The paths of the installed programs, by name.
  package var programs: [String: String] = [:]
  /// The kernel release, as printed by `uname -r`.
  package var kernel = ""
  /// The effective user ID.
  package var userID: UInt32 = 1000
  /// Whether the system is Apple's, which has a desktop without a variable that indicates it.
  package var isApple = false

  /// Creates facts without any finding.
  package init() {}

  /// The variables that are read.
  package static let variableNames = [
    "BROWSER", "CI", "DISPLAY", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "SUDO_UID",
    "TF_BUILD", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP", "container",
  ]
  /// Files that exist in containers.
  package static let fileNames = ["/.dockerenv", "/run/.containerenv"]
  /// The programs that can open a URL.
  package static let programNames = ["wslview", "xdg-open", "gio", "x-www-browser", "open"]
}

extension EnvironmentFacts {
  /// The facts of the current process.
  package static var current: EnvironmentFacts {
    var facts = EnvironmentFacts()
    for name in variableNames { facts.variables[name] = variable(name) }
    facts.files = Set(fileNames.filter { access($0, F_OK) == 0 })
    let folders = (variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map(String.init)
    for name in programNames + facts.browserNames {
      facts.programs[name] = ExecutableSearch.path(of: name, in: folders)
    }
    facts.kernel = release
    facts.userID = geteuid()
    #if canImport(Darwin)
      facts.isApple = true
    #endif
    return facts
  }

  /// The names of the programs in `BROWSER`.
  private var browserNames: [String] {
    BrowserCommand.commands(in: variables["BROWSER"] ?? "").compactMap(\.first)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = ctessera_environment(name).map({ String(cString: $0) }), !value.isEmpty else {
      return nil
    }
    return value
  }

  private static var release: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "" }
    return withUnsafeBytes(of: &system.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
