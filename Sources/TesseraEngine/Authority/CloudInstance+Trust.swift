// SPDX-License-Identifier: MIT
// Which hosts a discovery document may declare to be one cloud.

package import TesseraCache
package import TesseraWire

extension CloudInstance {
  /// The hosts of an authority's cloud, of those that a document or a stored record declares.
  ///
  /// Tokens of all these hosts are shared, so that a false declaration would send them elsewhere:
  /// - a built-in host has the hosts of the built-in table, whatever is declared;
  /// - a host on this machine has only itself;
  /// - any other host may declare its cloud if the public cloud verified it. The cloud contains that host and both
  ///   preferred hosts, and neither a host of a built-in cloud nor one on this machine.
  ///
  /// Otherwise the authority's own host is the whole cloud.
  ///
  /// - Parameters:
  ///   - declared: what the document or record declares; nil for nothing.
  ///   - isVerified: whether it came from the public cloud's instance discovery.
  package static func trusted(
    _ declared: CloudInstance?, isVerified: Bool, for authority: Authority
  ) -> CloudInstance? {
    guard authority.type == .entra, isVerified, let declared,
      CloudTable.cloud(of: authority.address.authority) == nil, !authority.address.isLoopback,
      declared.aliases.contains(authority.address.authority),
      declared.aliases.contains(declared.preferredNetwork),
      declared.aliases.contains(declared.preferredCache),
      declared.aliases.allSatisfy(isForeignHost)
    else { return authority.cloud }
    return declared
  }

  /// Whether a name is a host of neither a built-in cloud nor this machine.
  private static func isForeignHost(_ name: String) -> Bool {
    guard let address = WebAddress("https://\(name)"), address.authority == name else {
      return false
    }
    return CloudTable.cloud(of: address.host) == nil && !address.isThisMachine
  }
}

extension DiscoveryRecord {
  /// The hosts of the authority's cloud, as far as this record may define them.
  package func trustedCloud(of authority: Authority) -> CloudInstance? {
    CloudInstance.trusted(cloud, isVerified: isVerified, for: authority)
  }
}
