// SPDX-License-Identifier: MIT
// The authority of an account in a different Microsoft cloud, for instance-aware sign-in.

package import TesseraCache
package import TesseraWire

extension Authority {
  /// Returns the same authority in the cloud of a host, or `nil` for an unknown host or a kind without clouds.
  ///
  /// An application with ``ApplicationConfiguration/supportsMultipleClouds`` sends `instance_aware=true`. The response
  /// names the user's cloud (`cloud_instance_host_name`). The authorization code flow redeems the code at this
  /// authority and stores the tokens under it.
  ///
  /// The response is delivered by a browser and is therefore not trusted. The host must be built in, or be the
  /// preferred host of a discovered cloud. MSAL for Apple also ignores other hosts.
  ///
  /// - Parameters:
  ///   - host: A host with an optional port, in any case.
  ///   - discovered: The clouds returned by instance discovery; see ``AuthorityResolver/discoveredClouds``.
  package func inCloud(of host: String?, discovered: [CloudInstance] = []) -> Authority? {
    guard case .entra(let tenant) = kind, let host = host?.normalised.nonBlank else { return nil }
    let builtIn = CloudTable.cloud(of: host)
    if host == address.authority { return self }
    guard builtIn != nil || discovered.contains(where: { $0.preferredNetwork == host }) else {
      return nil
    }
    if builtIn?.aliases.contains(address.authority) == true {
      return self
    }
    return try? Authority("\(address.scheme)://\(host)/\(tenant)", type: .entra)
  }

  /// Returns the authority to use for an account: the one in the account's cloud.
  ///
  /// - Parameters:
  ///   - environment: The environment of the account, if the caller knows it.
  ///   - metadata: The account metadata, which maps requested authorities to the issuing ones. After a sign-in with
  ///     `instance_aware`, the issuing authority is in a different cloud. It is used unless the caller requests an
  ///     account in another environment.
  package func inCloud(
    ofAccount homeAccountID: String, environment: String?, _ metadata: AccountMetadataRecord?
  ) -> Authority {
    let issuer = metadata?.authority(for: text, of: homeAccountID, isInstanceAware: true)
    if let issuer, let other = try? Authority(issuer, type: .entra), other.cloud != cloud,
      CloudTable.cloud(of: other.address.authority) != nil,
      environment.map({ other.cloud?.aliases.contains($0.normalised) == true }) ?? true
    {
      return other
    }
    // Tenants differ between clouds. Only the shared tenants have the same meaning in each.
    guard CloudTable.sharedTenants.contains(tenant) else { return self }
    return inCloud(of: environment) ?? self
  }
}
