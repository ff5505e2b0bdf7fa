// SPDX-License-Identifier: MIT
// Where desktops look for programs and for the user's choices among them.

import CTesseraSystem

/// The folders of a user's desktop (XDG Base Directory Specification), and the desktop's names.
package struct DesktopFolders: Sendable {
  /// Where the user's settings are; nil if nothing tells.
  package let configuration: String?
  /// Where the user's programs are; nil if nothing tells.
  package let data: String?
  /// Where the system's settings are, the most important first.
  let systemConfigurations: [String]
  /// Where the system's programs are, the most important first.
  let systemData: [String]
  /// The names of the desktop, in small letters.
  let desktops: [String]
  /// Where programs are that are named without a folder.
  let programs: [String]

  /// What variables say.
  ///
  /// A folder that is not absolute is nobody's (Base Directory Specification, section 2).
  ///
  /// - Parameter variable: the value of a variable; nil for one that is not set.
  package init(_ variable: (String) -> String?) {
    func folder(_ name: String, _ usual: String) -> String? {
      if let value = variable(name), value.hasPrefix("/") { return value }
      guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
      return home + usual
    }
    func folders(_ name: String, _ usual: String) -> [String] {
      let value = variable(name).flatMap { $0.isEmpty ? nil : $0 } ?? usual
      return value.split(separator: ":").prefix(64).map(String.init).filter { $0.hasPrefix("/") }
    }
    configuration = folder("XDG_CONFIG_HOME", "/.config")
    data = folder("XDG_DATA_HOME", "/.local/share")
    systemConfigurations = folders("XDG_CONFIG_DIRS", "/etc/xdg")
    systemData = folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    desktops = (variable("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").prefix(16)
      .map { $0.lowercased() }.filter { !$0.contains("/") }
    programs = folders("PATH", "/usr/local/bin:/usr/bin:/bin")
  }

  /// Where entries of programs are, the most important first.
  var applications: [String] {
    ([data].compactMap { $0 } + systemData).map { $0 + "/applications" }
  }

  /// Where the user's choices are written.
  package var associations: String? { configuration.map { $0 + "/mimeapps.list" } }

  /// A file of choices.
  struct Choices {
    let path: String
    /// Whether it is of one desktop: such a file has defaults only.
    let isOfDesktop: Bool
    /// The folder of programs that it belongs to, if it is the last one there.
    let applications: String?
  }

  /// The files of choices, the most important first (MIME Applications Specification 1.0, section 2).
  var choices: [Choices] {
    let settings = ([configuration].compactMap { $0 } + systemConfigurations).flatMap {
      files(in: $0, applications: nil)
    }
    return settings + applications.flatMap { files(in: $0, applications: $0) }
  }

  private func files(in folder: String, applications: String?) -> [Choices] {
    let own = desktops.map {
      Choices(path: "\(folder)/\($0)-mimeapps.list", isOfDesktop: true, applications: nil)
    }
    guard let applications else {
      return own + [
        Choices(path: folder + "/mimeapps.list", isOfDesktop: false, applications: nil)
      ]
    }
    return own + [
      Choices(path: folder + "/mimeapps.list", isOfDesktop: false, applications: nil),
      // What there was before the specification; xdg-mime and GLib read it still.
      Choices(path: folder + "/defaults.list", isOfDesktop: true, applications: applications),
    ]
  }
}

extension DesktopFolders {
  /// Those of this process.
  package static var current: DesktopFolders {
    DesktopFolders { name in ctessera_environment(name).map { String(cString: $0) } }
  }
}
