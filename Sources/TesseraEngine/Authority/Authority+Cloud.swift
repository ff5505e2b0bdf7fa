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

extension PublicClientApplication {
  /// Returns the authority of an account of another provider than the default authority's.
  ///
  /// Returns `nil` if the request names an authority, if the account belongs to the default one, and if the authority
  /// cannot be derived from the account.
  private func ownAuthority(of request: SilentRequest, within limits: CallLimits) -> Authority? {
    guard request.authority == nil, let environment = request.environment?.nonBlank,
      !isAuthority(defaultAuthority, in: environment, within: limits)
    else { return nil }
    if let known = knownAuthorities.first(where: {
      isAuthority($0, in: environment, within: limits)
    }) {
      return known
    }
    let parts = request.homeAccountID.split(separator: ".")
    if CloudTable.cloud(of: environment.normalised) != nil {
      // Another cloud of Entra, where the account is known in its home tenant.
      guard !configuration.supportsMultipleClouds || !defaultAuthority.isEntra,
        let tenant = parts.dropFirst().last
      else { return nil }
      return try? Authority("https://\(environment.normalised)/\(tenant)", type: .entra)
    }
    // The environment of a plain issuer is its address. Other kinds of authorities have only the host in it.
    let address = environment.hasPrefix("http://") ? environment : "https://\(environment)"
    guard let url = WebURL(address), !url.pathSegments.isEmpty || parts.count == 1 else {
      return nil
    }
    return try? Authority(address, type: AuthorityType(of: url) ?? .openID)
  }

  private func isAuthority(
    _ authority: Authority, in environment: String, within limits: CallLimits
  ) -> Bool {
    let own = authority.isEntra ? environment.normalised : environment
    return resolver.environments(of: authority, within: limits)
      .contains { AccountKey.isSameCloud($0, own) }
  }

  /// Returns the authority of a silent request, in the account's cloud if the application supports multiple clouds.
  func authority(
    of request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Authority {
    if let own = ownAuthority(of: request, within: limits) { return own }
    let authority = try authority(named: request.authority)
    guard configuration.supportsMultipleClouds, case .entra = authority.kind else {
      return authority
    }
    let clientID = configuration.clientID
    let account = authority.normalised(request.homeAccountID)
    var selection = SnapshotSelection()
    selection.keys = [AccountMetadataRecord(clientID: clientID, homeAccountID: account).key]
    let metadata = try cache.snapshot(selection, within: limits).accountMetadata(of: clientID)
    return authority.inCloud(
      ofAccount: account, environment: request.environment, metadata)
  }
}
