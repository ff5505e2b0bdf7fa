// SPDX-License-Identifier: MIT
// The version number of Tessera. All other occurrences are checked against it.

/// The version of the library.
public enum TesseraVersion {
  /// The version as a static string, which is valid for the lifetime of the process.
  package static let literal: StaticString = "0.1.0"

  /// The version as text.
  public static let text = literal.description
}
