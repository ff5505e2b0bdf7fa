// SPDX-License-Identifier: MIT
// Temporary desktop configuration folders.

import Foundation
import TesseraPlatform
import TestSupport

/// The folders of a desktop: `config` and `data` of the user, and `etc`, `local` and `share` of the system.
struct TestDesktop {
  let place: TemporaryDirectory
  private let variables: [String: String]

  /// Creates the folders with files.
  init(
    _ files: [String: String] = [:], desktop: String? = nil, variables: [String: String] = [:]
  ) throws {
    place = try TemporaryDirectory()
    let root = place.path
    var usual = [
      "HOME": root + "/home", "XDG_CONFIG_HOME": root + "/config", "XDG_DATA_HOME": root + "/data",
      "XDG_CONFIG_DIRS": root + "/etc", "XDG_DATA_DIRS": root + "/local:" + root + "/share",
      "PATH": "/usr/bin:/bin",
    ]
    usual["XDG_CURRENT_DESKTOP"] = desktop
    self.variables = usual.merging(variables) { $1 }
    for (path, text) in files { try write(text, to: path) }
  }

  /// The folders as found in the environment.
  var folders: DesktopDirectories { DesktopDirectories { variables[$0] } }

  /// Returns the path of a file.
  func path(_ name: String) -> String { "\(place.path)/\(name)" }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    let folder = path(name).split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  /// Returns the contents of a file; nil if it does not exist.
  func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The paths of all files, sorted.
  var files: [String] {
    let all = FileManager.default.enumerator(atPath: place.path)?.allObjects as? [String] ?? []
    return all.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
