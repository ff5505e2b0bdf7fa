// SPDX-License-Identifier: MIT
// Directories that the environment names.

import CTesseraSystem

/// Access to environment variables with the path of a directory.
enum EnvironmentPath {
  /// Returns an environment variable; nil unless it is an absolute path in UTF-8.
  ///
  /// The XDG Base Directory Specification requires relative paths to be ignored.
  static func named(_ name: String) -> String? {
    guard let value = ctessera_environment(name), value.pointee == UInt8(ascii: "/") else {
      return nil
    }
    return String(validatingCString: value)
  }
}
