// SPDX-License-Identifier: MIT
// The rules for accepting the cloud that a discovery document declares.

package import TesseraCache
package import TesseraWire

extension CloudInstance {
  /// Returns the trusted hosts of an authority's cloud, given those declared by a document or a stored record.
  ///
  /// All hosts of a cloud share tokens, so a false declaration would send tokens to another host:
  /// - A built-in host has the hosts of the built-in table, whatever is declared.
  /// - A host on this machine has only itself.
  /// - Any other host may declare its cloud if the public cloud verified it. The cloud must contain that host and both
  ///   preferred hosts. It must not contain a host of a built-in cloud or of this machine.
  ///
  /// Otherwise the cloud consists of the authority's own host.
  ///
  /// - Parameters:
  ///   - declared: The cloud of the document or record; `nil` for none.
  ///   - isVerified: Whether it is from the public cloud's instance discovery.
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

  /// Returns whether a name is a host of neither a built-in cloud nor this machine.
  private static func isForeignHost(_ name: String) -> Bool {
    guard let address = WebURL("https://\(name)"), address.authority == name else {
      return false
    }
    return CloudTable.cloud(of: address.host) == nil && !address.isThisMachine
  }
}

extension DiscoveryRecord {
  /// Returns the trusted hosts of the authority's cloud, based on this record.
  package func trustedCloud(of authority: Authority) -> CloudInstance? {
    CloudInstance.trusted(cloud, isVerified: isVerified, for: authority)
  }
}
