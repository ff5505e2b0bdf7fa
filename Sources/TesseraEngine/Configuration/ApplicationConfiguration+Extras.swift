// SPDX-License-Identifier: MIT
// Validation of extra request parameters, known authorities and the redirect URI of a configuration.

package import TesseraWire

extension ApplicationConfiguration {
  /// The extra parameters for all requests, including the `slice` and `dc` query parameters.
  package var extras: ExtraParameters {
    var extras = ExtraParameters()
    extras.tokenFields = extraTokenParameters
    extras.query = extraQueryParameters
    extras.query["slice"] = slice ?? extras.query["slice"]
    extras.query["dc"] = dataCenter ?? extras.query["dc"]
    return extras
  }

  /// Merges the parameters of one request with those of the configuration.
  ///
  /// The request's values take precedence.
  ///
  /// - Throws: `fixRequest` for parameters that are invalid or reserved for the library.
  package func extras(
    _ tokenFields: [String: String], _ query: [String: String]
  ) throws(TesseraError) -> ExtraParameters {
    var extras = extras
    guard !tokenFields.isEmpty || !query.isEmpty else { return extras }
    for (parameters, member) in [
      (tokenFields, "extra_token_parameters"), (query, "extra_query_parameters"),
    ] {
      guard let problem = ExtraParameters.problem(in: parameters) else { continue }
      throw TesseraError(.fixRequest, .invalidMember, "\(member) \(problem)")
    }
    extras.tokenFields.merge(tokenFields) { $1 }
    extras.query.merge(query) { $1 }
    return extras
  }

  /// Checks the extra parameters of the configuration.
  ///
  /// - Throws: `fixConfiguration` for parameters that are invalid or reserved for the library.
  package func checkExtras() throws(TesseraError) {
    for (parameters, member) in [
      (extraTokenParameters, "extra_token_parameters"),
      (extraQueryParameters, "extra_query_parameters"),
    ] {
      guard let problem = ExtraParameters.problem(in: parameters) else { continue }
      throw Self.invalidExtra("advanced.\(member) \(problem)")
    }
    for (name, value) in [("slice", slice), ("dc", dataCenter)] {
      guard let value else { continue }
      guard value.nonBlank != nil else {
        throw Self.invalidExtra("advanced.\(name) is empty: specify a value or remove it.")
      }
      if let problem = ExtraParameters.problem(in: [name: value]) {
        throw Self.invalidExtra("advanced.\(name) \(problem)")
      }
    }
  }

  /// Parses the known authorities.
  ///
  /// The type of each authority is derived from its address, or else the type of the configuration's authority.
  ///
  /// - Throws: `fixConfiguration` for more than 100 authorities, or for an invalid one.
  package func checkedKnownAuthorities() throws(TesseraError) -> [Authority] {
    guard knownAuthorities.count <= 100 else {
      throw Self.invalidExtra("known_authorities has more than 100 entries: remove some.")
    }
    var known: [Authority] = []
    for text in knownAuthorities {
      let type = WebURL(text).flatMap(AuthorityType.init(of:)) ?? authorityType
      do throws(TesseraError) {
        known.append(try Authority(text, type: type))
      } catch {
        throw Self.invalidExtra("known_authorities: \(error.message)")
      }
    }
    return known
  }

  /// Returns the redirect URI of the configuration, or the default one.
  ///
  /// - Throws: `fixConfiguration` with a message that names the URI to register instead.
  package func checkedRedirectURI(at authority: Authority) throws(TesseraError) -> RedirectURI {
    if let bundleID {
      let isName = bundleID.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
      }
      guard isName, (1...155).contains(bundleID.utf8.count) else {
        throw Self.invalidExtra(
          "bundle_id must have 1 to 155 letters, digits, '.' or '-', such as com.example.mail.")
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
