// SPDX-License-Identifier: MIT
// The files of a credential.

import TesseraEngine
import TesseraPlatform
import TesseraWire

/// Access to the files of a credential.
enum CredentialFile {
  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 20

  /// Returns the text of a file, without the white space around it.
  ///
  /// - Parameter member: The member of `credential` that has the path.
  /// - Throws: `fixConfiguration` for a file that is missing, unreadable, empty or not UTF-8.
  static func text(_ path: String, _ member: String) throws(TesseraError) -> Secret {
    guard let text = String(validating: try bytes(path, member), as: UTF8.self)?.trimmed.nonBlank
    else { throw invalid(member, "the file \(path) is empty or not UTF-8") }
    return Secret(text)
  }

  /// Returns the content of a file.
  ///
  /// - Throws: As ``text(_:_:)``, except for empty files.
  static func bytes(_ path: String, _ member: String) throws(TesseraError) -> [UInt8] {
    guard let bytes = SmallFile.contents(of: path, limit: limit) else {
      throw invalid(
        member,
        "the file \(path) is missing, is not readable for this user, is not a regular file, or exceeds 1 MiB"
      )
    }
    return bytes
  }

  /// Returns the error for a credential that cannot be used.
  static func invalid(_ member: String, _ problem: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .invalidConfiguration,
      "credential.\(member) cannot be used: \(problem).")
  }
}
