// SPDX-License-Identifier: MIT
// The flat texts that requests to the single sign-on extension are made of.

/// Texts by name; what is empty is left out, as MSAL for Apple leaves out what is nil.
struct SSOExtensionTexts {
  private var values: [String: String] = [:]

  /// Adds a text; nil or a blank one adds nothing.
  mutating func add(_ name: String, _ text: String?) {
    guard let text = text?.nonBlank else { return }
    values[name] = text
  }

  /// Adds a truth value, as MSAL for Apple writes a number that is one.
  mutating func add(_ name: String, _ value: Bool) {
    values[name] = value ? "1" : "0"
  }

  /// Adds a text that must not be blank.
  mutating func require(_ name: String, _ text: String?) throws(WireError) {
    guard let text = text?.nonBlank else { throw .missingInSSOExtensionRequest("\"\(name)\"") }
    values[name] = text
  }

  /// The texts in the order of their names.
  var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
