// SPDX-License-Identifier: MIT
// Secret Service calls for items of other applications: search, read the time of the last change, replace the secret.

extension SecretSession {
  /// Returns the paths of the items with the given attributes, unlocked and locked ones separately.
  ///
  /// Items with additional attributes match as well, as the specification requires.
  func items(
    with attributes: [(name: String, value: String)]
  ) throws(KeyFailure) -> (unlocked: [String], locked: [String]) {
    let search = call(Self.root, "Service", "SearchItems").dictionary(attributes)
    return try KeyFailure.wrapping { () throws(BusFailure) in
      let found = try connection.reply(to: search)
      return (try found.paths(), try found.paths())
    }
  }

  /// Returns the time of an item's last change, in seconds since 1970.
  func modified(of item: String) throws(KeyFailure) -> UInt64 {
    try property("Modified", "Item", of: item, "t") { reader throws(BusFailure) in
      try reader.number()
    }
  }

  /// Replaces the secret of an item.
  ///
  /// Its label and attributes do not change.
  func replace(_ item: String, with secret: UnsafeRawBufferPointer) throws(KeyFailure) {
    let request = put(secret, in: call(item, "Item", "SetSecret"))
    _ = try KeyFailure.wrapping { () throws(BusFailure) in try connection.reply(to: request) }
  }
}
