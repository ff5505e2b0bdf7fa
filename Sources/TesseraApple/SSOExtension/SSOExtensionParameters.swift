// SPDX-License-Identifier: MIT
// The string parameters of requests to the single sign-on extension.

import TesseraWire

/// A dictionary of string parameters that omits blank values, as MSAL for Apple omits nil.
struct SSOExtensionParameters {
  private var values: [String: String] = [:]

  /// Adds a parameter unless the value is nil or blank.
  mutating func add(_ name: String, _ text: String?) {
    guard let text = text?.nonBlank else { return }
    values[name] = text
  }

  /// Adds a boolean as `1` or `0`, as MSAL for Apple does.
  mutating func add(_ name: String, _ value: Bool) {
    values[name] = value ? "1" : "0"
  }

  /// Adds a required parameter.
  ///
  /// Throws if the value is nil or blank.
  mutating func require(_ name: String, _ text: String?) throws(WireError) {
    guard let text = text?.nonBlank else { throw .missingSSOExtensionParameter("\"\(name)\"") }
    values[name] = text
  }

  /// The parameters, sorted by name.
  var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
