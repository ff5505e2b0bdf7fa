// SPDX-License-Identifier: MIT
// An authority with its endpoints, and what must hold before they are believed.

package import TesseraWire

/// An authority whose discovery documents are known.
package struct ResolvedAuthority: Sendable {
  package let authority: Authority
  package let configuration: OpenIDConfiguration
  /// The hosts of its cloud; nil for OpenID Connect.
  package let cloud: CloudInstance?
  /// What wants attention although its endpoints are known.
  package var warnings: [String] = []

  /// Checks that the documents belong to the authority.
  ///
  /// - Throws: `fixConfiguration` when they name another issuer, or endpoints outside the cloud.
  package init(
    _ authority: Authority, _ configuration: OpenIDConfiguration, cloud: CloudInstance?
  ) throws(TesseraError) {
    self.authority = authority
    self.configuration = configuration
    self.cloud = cloud
    switch authority.kind {
    case .openID(let issuer):
      // OpenID Connect Discovery 4.3: exactly the issuer that was asked for.
      guard configuration.issuer == issuer else { throw ResolvedAuthority.mismatch(issuer) }
    case .entra:
      // A person is sent to the device endpoint's page, so it has to be of the cloud as well.
      let addresses = [
        configuration.issuer, configuration.tokenEndpoint,
        configuration.deviceAuthorizationEndpoint,
      ]
      for case let address? in addresses {
        guard let host = WebAddress(address)?.authority,
          host == authority.address.authority || cloud?.aliases.contains(host) == true
        else { throw ResolvedAuthority.mismatch(authority.text) }
      }
    }
  }

  /// The environment under which records are stored.
  package var environment: String {
    cloud?.preferredCache ?? authority.issuerEnvironment ?? authority.address.authority
  }

  /// Where the tokens of a tenant come from, as a result and the account's metadata name it.
  package func resultAuthority(realm: String) -> String {
    guard authority.isEntra, !realm.isEmpty else { return authority.text }
    return "\(authority.address.origin)/\(realm)"
  }

  private static func mismatch(_ asked: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .issuerMismatch,
      "The discovery document of \(asked) belongs to another issuer. Configure the issuer exactly as it names itself."
    )
  }
}
