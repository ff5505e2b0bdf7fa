// SPDX-License-Identifier: MIT
// The search attributes and format of a keyring item in which another library stores its cache.

import TesseraPlatform

/// An item of the Secret Service, with the attributes that its owner uses to find and create it.
struct KeyringItem: Sendable, Hashable {
  /// An attribute with its value.
  struct Attribute: Sendable, Hashable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the schema, which libsecret stores as the attribute `xdg:schema`.
  let schema: String
  /// The other attributes.
  var attributes: [Attribute] = []
  /// Whether the owner's search includes the schema, which it does not with libsecret's flag DONT_MATCH_NAME.
  var matchesSchema = true
  /// The label of a new item, which is shown to the user in a list of secrets.
  var label = ""
  /// The encoding of a new item.
  ///
  /// An existing item keeps its encoding.
  var encoding = ItemEncoding.text

  /// The attributes to search for.
  var searchAttributes: [(name: String, value: String)] {
    matchesSchema ? storedAttributes : attributes.map { ($0.name, $0.value) }
  }

  /// The attributes of a new item.
  var storedAttributes: [(name: String, value: String)] {
    [("xdg:schema", schema)] + attributes.map { ($0.name, $0.value) }
  }

  /// Whether all writers of the item touch the same file.
  ///
  /// An owner that searches without the schema uses one item for several caches, each with its own signal file.
  var hasOneSignal: Bool { matchesSchema }
}
