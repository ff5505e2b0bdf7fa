// SPDX-License-Identifier: MIT
// An item of the Secret Service in which another library keeps its cache.

/// An item of the Secret Service, as the library that owns it looks for it.
struct KeyringItem: Sendable, Hashable {
  /// A name and a value; both are texts.
  struct Attribute: Sendable, Hashable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the schema, which libsecret keeps as the attribute `xdg:schema`.
  let schema: String
  /// The other attributes.
  var attributes: [Attribute] = []
  /// Whether its owner looks for the schema as well; not with libsecret's flag DONT_MATCH_NAME.
  var matchesSchema = true

  /// What is looked for.
  var searched: [(name: String, value: String)] {
    (matchesSchema ? [("xdg:schema", schema)] : []) + attributes.map { ($0.name, $0.value) }
  }
}
