// SPDX-License-Identifier: MIT
// The version of Tessera; every other place is checked against this one.

/// The version of the library.
public enum Version {
  /// The version as text that lives as long as the library.
  package static let literal: StaticString = "0.1.0"

  /// The version as text.
  public static let text = literal.description
}
