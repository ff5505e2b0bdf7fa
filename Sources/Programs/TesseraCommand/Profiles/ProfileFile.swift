// SPDX-License-Identifier: MIT
// The file of the profiles.

import Tessera

/// The file of the profiles of a user.
///
/// Only its owner can change it, because a profile decides which provider gets the user's sign-in.
struct ProfileFile {
  private let file: ProtectedFile

  /// The absolute path.
  var path: String { file.path }

  /// The name of the file.
  static let name = "config.toml"

  /// Creates the file of an environment; nil if the user has no home directory.
  init?(_ environment: Environment) {
    guard let folder = environment.configurationDirectory else { return nil }
    file = ProtectedFile(path: "\(folder)/\(ProfileFile.name)")
  }

  /// The names of the profiles, for completion; empty if they cannot be read.
  static var names: [String] {
    guard let file = ProfileFile(.current), let document = try? file.read() else { return [] }
    return document.names
  }

  /// Returns a function that reads the profiles of an environment; without a home directory there are none.
  static func profiles(
    of environment: Environment
  ) -> () throws(TesseraError) -> ProfileDocument {
    { () throws(TesseraError) in
      guard let file = ProfileFile(environment) else { return try ProfileDocument() }
      return try file.read()
    }
  }

  /// Reads the profiles.
  ///
  /// A missing file has none.
  ///
  /// - Throws: `invalidConfiguration` if the file is invalid, cannot be read, or can be written by other users.
  func read() throws(TesseraError) -> ProfileDocument {
    try parsed(try file.read() ?? "")
  }

  /// Changes the profiles atomically.
  ///
  /// Concurrent changes of other processes are kept.
  ///
  /// - Throws: `storeUnavailable` if the file cannot be written; the errors of ``read()``.
  func update(
    _ change: (inout ProfileDocument) throws(TesseraError) -> Void
  ) throws(TesseraError) {
    try file.update { text throws(TesseraError) in
      var document = try parsed(text)
      try change(&document)
      // A value with a control character would make the file invalid.
      _ = try ProfileDocument(parsing: document.text)
      return document.text
    }
  }

  private func parsed(_ text: String) throws(TesseraError) -> ProfileDocument {
    do throws(TesseraError) {
      return try ProfileDocument(parsing: text)
    } catch {
      var error = error
      error.message = error.message.replacing(ProfileDocument.errorPrefix, with: path)
      throw error
    }
  }
}
