// SPDX-License-Identifier: MIT
// The environment of the command: its variables, and the directories of the user.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The environment variables.
///
/// An empty variable counts as unset.
struct Environment {
  private let values: [String: String]
  /// Returns the home directory in the user database, which may be on a server; nil if it has none.
  private let databaseHome: @Sendable () -> String?

  init(
    _ values: [String: String], databaseHome: @escaping @Sendable () -> String? = { nil }
  ) {
    self.values = values
    self.databaseHome = databaseHome
  }

  /// The environment of this process.
  static var current: Environment {
    var values: [String: String] = [:]
    var next = environ
    while let text = next.pointee {
      let parts = String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let name = parts.first, parts.count == 2 { values[String(name)] = String(parts[1]) }
      next += 1
    }
    return Environment(values) { databaseHomeOfUser }
  }

  /// The value of a variable; nil if it is unset or empty.
  subscript(name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// Whether the command runs in a continuous integration job, with a log that keeps the output.
  var isCI: Bool {
    ["CI", "TF_BUILD"].contains { name in
      self[name].map { !["0", "false", "no"].contains($0.lowercased()) } ?? false
    }
  }

  /// The home directory: that of the variable, or else that of the user database.
  var home: String? { absolute("HOME") ?? databaseHome() }

  /// The directory of the configuration; nil if the user has no home directory.
  ///
  /// A relative path is ignored (XDG Base Directory Specification), so that it never depends on the working directory.
  var configurationDirectory: String? { configurationHome.map { "\($0)/tessera" } }

  /// The directory of the configuration of all programs; nil if the user has no home directory.
  var configurationHome: String? {
    absolute("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
  }

  /// The directory for files of this login session; nil if there is none.
  var runtimeDirectory: String? { absolute("XDG_RUNTIME_DIR") }

  private func absolute(_ name: String) -> String? {
    self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static var databaseHomeOfUser: String? {
    guard let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir else { return nil }
    let path = String(cString: folder)
    return path.hasPrefix("/") && path != "/nonexistent" ? path : nil
  }
}
