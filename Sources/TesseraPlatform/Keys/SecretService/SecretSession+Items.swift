// SPDX-License-Identifier: MIT
// The calls of the Secret Service API for items that other programs keep: found, told apart, changed where they lie.

extension SecretSession {
  /// The items with some attributes, the unlocked ones apart from the locked ones.
  ///
  /// An item with further attributes is among them: so the specification has it.
  func items(
    with attributes: [(name: String, value: String)]
  ) throws(KeyFailure) -> (unlocked: [String], locked: [String]) {
    let search = call(Self.root, "Service", "SearchItems").dictionary(attributes)
    return try KeyFailure.wrapping { () throws(BusFailure) in
      let found = try connection.answer(to: search)
      return (try found.paths(), try found.paths())
    }
  }

  /// When an item was last changed, in seconds since 1970.
  func modified(of item: String) throws(KeyFailure) -> UInt64 {
    try property("Modified", "Item", of: item, "t") { reader throws(BusFailure) in
      try reader.number()
    }
  }

  /// Puts another secret into an item, whose label and attributes stay.
  func replace(_ item: String, with secret: UnsafeRawBufferPointer) throws(KeyFailure) {
    let question = put(secret, in: call(item, "Item", "SetSecret"))
    _ = try KeyFailure.wrapping { () throws(BusFailure) in try connection.answer(to: question) }
  }
}
