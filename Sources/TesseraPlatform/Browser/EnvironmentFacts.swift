// SPDX-License-Identifier: MIT
// What this machine tells about whether a browser can be opened.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is known of a process's surroundings; docs/interactive.md has the table of what follows from it.
package struct EnvironmentFacts: Sendable, Equatable {
  /// Variables of the environment that are set and not empty.
  package var variables: [String: String] = [:]
  /// Files that are there.
  package var files: Set<String> = []
  /// Programs by name, with their paths.
  package var programs: [String: String] = [:]
  /// The release of the kernel, as `uname -r` tells it.
  package var kernel = ""
  /// The effective user.
  package var userID: UInt32 = 1000
  /// Whether the system has a desktop without telling so in the environment, as Apple's has.
  package var isApple = false

  /// Nothing is known.
  package init() {}

  /// The variables that are looked at.
  package static let variableNames = [
    "BROWSER", "CI", "DISPLAY", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "SUDO_UID",
    "TF_BUILD", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP", "container",
  ]
  /// The files that are looked for: each stands for a container.
  package static let fileNames = ["/.dockerenv", "/run/.containerenv"]
  /// The programs that are looked for: each opens an address.
  package static let programNames = ["wslview", "xdg-open", "gio", "x-www-browser", "open"]
}

extension EnvironmentFacts {
  /// This process, now.
  package static var current: EnvironmentFacts {
    var facts = EnvironmentFacts()
    for name in variableNames { facts.variables[name] = variable(name) }
    facts.files = Set(fileNames.filter { access($0, F_OK) == 0 })
    let folders = (variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map(String.init)
    for name in programNames + facts.browserNames {
      facts.programs[name] = ProgramFile.path(of: name, in: folders)
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
    BrowserCommand.words(of: variables["BROWSER"] ?? "").compactMap(\.first)
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
