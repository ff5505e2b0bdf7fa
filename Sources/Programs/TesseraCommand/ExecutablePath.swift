// SPDX-License-Identifier: MIT
// The path of this program, with which other programs can start it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of this program.
enum ExecutablePath {
  /// The path with which it was started, without resolving links that a package may update.
  static var path: String {
    let name = CommandLine.arguments.first ?? "tessera"
    if name.hasPrefix("/") { return name }
    let folders =
      name.contains("/")
      ? [currentDirectory] : (variable("PATH") ?? "").split(separator: ":").map(String.init)
    let found = folders.first { access("\($0)/\(name)", X_OK) == 0 }
    return found.flatMap { $0.hasPrefix("/") ? "\($0)/\(name)" : nil } ?? link ?? name
  }

  private static var currentDirectory: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The path that the kernel reports.
  private static var link: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
