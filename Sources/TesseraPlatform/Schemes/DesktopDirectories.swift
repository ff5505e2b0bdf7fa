// SPDX-License-Identifier: MIT
// The directories of desktop entries and of mimeapps.list files.

import CTesseraSystem

/// The directories of a user's desktop (XDG Base Directory Specification), and the names of the desktop.
package struct DesktopDirectories: Sendable {
  /// The user's configuration directory; nil if no variable defines one.
  package let configuration: String?
  /// The user's data directory; nil if no variable defines one.
  package let data: String?
  /// The configuration directories of the system, in order of precedence.
  let systemConfigurations: [String]
  /// The data directories of the system, in order of precedence.
  let systemData: [String]
  /// The names of the desktop, in lower case.
  let desktops: [String]
  /// The directories of `PATH`.
  let programs: [String]

  /// Reads the directories from environment variables.
  ///
  /// Relative paths are ignored (Base Directory Specification, section 2).
  ///
  /// - Parameter variable: Returns the value of a variable; nil if it is not set.
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

  /// The directories of desktop entries, in order of precedence.
  var applications: [String] {
    ([data].compactMap { $0 } + systemData).map { $0 + "/applications" }
  }

  /// The file to which the user's default applications are written.
  package var associations: String? { configuration.map { $0 + "/mimeapps.list" } }

  /// A file with default applications.
  struct AssociationFile {
    let path: String
    /// Whether the file is for one desktop.
    ///
    /// Only the defaults of such a file are used.
    let isDesktopSpecific: Bool
    /// The directory of desktop entries to search after this file; nil if this is not the last file of that directory.
    let applications: String?
  }

  /// The files with default applications, in order of precedence (MIME Applications Specification 1.0, section 2).
  var associationFiles: [AssociationFile] {
    let settings = ([configuration].compactMap { $0 } + systemConfigurations).flatMap {
      files(in: $0, applications: nil)
    }
    return settings + applications.flatMap { files(in: $0, applications: $0) }
  }

  private func files(in folder: String, applications: String?) -> [AssociationFile] {
    let own = desktops.map {
      AssociationFile(
        path: "\(folder)/\($0)-mimeapps.list", isDesktopSpecific: true, applications: nil)
    }
    guard let applications else {
      return own + [
        AssociationFile(
          path: folder + "/mimeapps.list", isDesktopSpecific: false, applications: nil)
      ]
    }
    return own + [
      AssociationFile(path: folder + "/mimeapps.list", isDesktopSpecific: false, applications: nil),
      // The file used before the specification, which xdg-mime and GLib still read.
      AssociationFile(
        path: folder + "/defaults.list", isDesktopSpecific: true, applications: applications),
    ]
  }
}

extension DesktopDirectories {
  /// The directories of the current process.
  package static var current: DesktopDirectories {
    DesktopDirectories { name in ctessera_environment(name).map { String(cString: $0) } }
  }
}
