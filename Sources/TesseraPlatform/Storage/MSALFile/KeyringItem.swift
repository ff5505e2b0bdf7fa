// SPDX-License-Identifier: MIT
// An item of the Secret Service in which another library keeps its cache.

/// An item of the Secret Service, as the library that owns it looks for it and makes it.
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
  /// What a person sees in a list of secrets; of a new item.
  var label = ""
  /// How its owner writes the cache into a new item; one that is there keeps the way it is written.
  var encoding = ItemEncoding.text

  /// What is looked for.
  var searched: [(name: String, value: String)] {
    matchesSchema ? stored : attributes.map { ($0.name, $0.value) }
  }

  /// What a new item gets.
  var stored: [(name: String, value: String)] {
    [("xdg:schema", schema)] + attributes.map { ($0.name, $0.value) }
  }

  /// Whether everybody who writes it touches the same file.
  ///
  /// Who looks for the attributes alone has one item for caches of several names, each with a file of its own.
  var hasOneSignal: Bool { matchesSchema }
}
