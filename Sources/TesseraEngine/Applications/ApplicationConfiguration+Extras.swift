// SPDX-License-Identifier: MIT
// What an application adds to its messages, and whom it vouches for, checked.

package import TesseraWire

extension ApplicationConfiguration {
  /// What is added to the messages: the parameters, and the slice.
  package var extras: ExtraParameters {
    var extras = ExtraParameters()
    extras.tokenFields = extraTokenParameters
    extras.query = extraQueryParameters
    extras.query["slice"] = slice ?? extras.query["slice"]
    extras.query["dc"] = dataCenter ?? extras.query["dc"]
    return extras
  }

  /// Throws for parameters that cannot be sent, or that are the library's own.
  package func checkExtras() throws(TesseraError) {
    try check(extraTokenParameters, "extra_token_parameters")
    try check(extraQueryParameters, "extra_query_parameters")
    for (name, value) in [("slice", slice), ("dc", dataCenter)] {
      guard let value else { continue }
      try check([name: value], name)
    }
  }

  /// The authorities that the application vouches for.
  ///
  /// Their kind is what the address tells, else the application's.
  package func checkedKnownAuthorities() throws(TesseraError) -> [Authority] {
    guard knownAuthorities.count <= 100 else {
      throw Self.invalidExtra("known_authorities has more than 100 authorities; leave out some.")
    }
    var known: [Authority] = []
    for text in knownAuthorities {
      let type = WebAddress(text).flatMap(AuthorityType.init(of:)) ?? authorityType
      do throws(TesseraError) {
        known.append(try Authority(text, type: type))
      } catch {
        throw Self.invalidExtra("known_authorities: \(error.message)")
      }
    }
    return known
  }

  private func check(_ parameters: [String: String], _ member: String) throws(TesseraError) {
    guard parameters.count <= 50 else {
      throw Self.invalidExtra("\(member) has more than 50 parameters; leave out some.")
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard name.utf8.count <= 100, !name.isEmpty,
        name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw Self.invalidExtra("\(member) has a name that is empty, too long or not printable.")
      }
      guard !ExtraParameters.ownFields.contains(name.lowercased()) else {
        throw Self.invalidExtra("\(member) has \"\(name)\", which the library sends itself.")
      }
      guard (1...4096).contains(value.utf8.count),
        !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        throw Self.invalidExtra(
          "\(member): the value of \"\(name)\" must have 1 to 4096 bytes and no control characters."
        )
      }
    }
  }

  private static func invalidExtra(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}
