// SPDX-License-Identifier: MIT
// Where this command lies, for others to start it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of this command.
enum OwnProgram {
  /// The path under which it was started: a link to it that a package keeps up to date stays a link.
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

  /// What the kernel says.
  private static var link: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
