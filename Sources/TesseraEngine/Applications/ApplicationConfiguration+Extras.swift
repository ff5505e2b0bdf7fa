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

  /// What is added to the messages of one request: what the request adds wins.
  ///
  /// - Throws: `fixRequest` for parameters that cannot be sent, or that are the library's own.
  package func extras(
    _ tokenFields: [String: String], _ query: [String: String]
  ) throws(TesseraError) -> ExtraParameters {
    var extras = extras
    guard !tokenFields.isEmpty || !query.isEmpty else { return extras }
    for (parameters, member) in [
      (tokenFields, "extra_token_parameters"), (query, "extra_query_parameters"),
    ] {
      guard let fault = ExtraParameters.fault(in: parameters) else { continue }
      throw TesseraError(.fixRequest, .invalidMember, "\(member) \(fault)")
    }
    extras.tokenFields.merge(tokenFields) { $1 }
    extras.query.merge(query) { $1 }
    return extras
  }

  /// Throws for parameters that cannot be sent, or that are the library's own.
  package func checkExtras() throws(TesseraError) {
    for (parameters, member) in [
      (extraTokenParameters, "extra_token_parameters"),
      (extraQueryParameters, "extra_query_parameters"),
    ] {
      guard let fault = ExtraParameters.fault(in: parameters) else { continue }
      throw Self.invalidExtra("\(member) \(fault)")
    }
    for (name, value) in [("slice", slice), ("dc", dataCenter)] {
      guard let value else { continue }
      guard value.nonBlank != nil else {
        throw Self.invalidExtra("\(name) is empty: leave it out, or name one.")
      }
      if let fault = ExtraParameters.fault(in: [name: value]) {
        throw Self.invalidExtra("\(name) \(fault)")
      }
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

  /// Where the answer of a sign-in comes to.
  ///
  /// - Throws: `fixConfiguration` with a message that says what to register instead.
  package func checkedRedirectURI(at authority: Authority) throws(TesseraError) -> RedirectURI {
    if let bundleID {
      let isName = bundleID.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
      }
      guard isName, (1...155).contains(bundleID.utf8.count) else {
        throw Self.invalidExtra("bundle_id must be a name such as com.example.mail.")
      }
    }
    return try RedirectURI(
      redirectURI,
      of: RedirectOwner(
        clientID: clientID, bundleID: bundleID, schemes: registeredSchemes, authority: authority))
  }

  private static func invalidExtra(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}
