// SPDX-License-Identifier: MIT
// An authority in another cloud: where an instance-aware sign-in goes on, and where its account's tokens come from.

package import TesseraCache
package import TesseraWire

extension Authority {
  /// The same authority in the cloud of a host; nil for a host that no cloud has, and for kinds without clouds.
  ///
  /// An application with ``ApplicationConfiguration/supportsMultipleClouds`` asks with `instance_aware=true`; the answer
  /// names the cloud of whoever signed in (`cloud_instance_host_name`). The authorization code flow redeems the code here,
  /// and stores what came of it under this authority. The answer came through a browser, so that its word alone is not
  /// enough: a host has to be built in, or the preferred one of a discovered cloud. MSAL for Apple ignores others too.
  ///
  /// - Parameters:
  ///   - host: a host, with its port if it has one, in any case.
  ///   - discovered: the clouds that instance discovery has named; see ``AuthorityResolver/discoveredClouds``.
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

  /// The authority for an account: in the cloud where the account is.
  ///
  /// - Parameters:
  ///   - environment: the account's, if the caller knows it.
  ///   - metadata: where the authority led when the account used it. That is another cloud's authority after a sign-in
  ///     with `instance_aware`, and serves unless the caller means an account somewhere else.
  package func inCloud(
    ofAccount homeAccountID: String, environment: String?, _ metadata: AccountMetadataRecord?
  ) -> Authority {
    let led = metadata?.authority(for: text, of: homeAccountID, isInstanceAware: true)
    if let led, let other = try? Authority(led, type: .entra), other.cloud != cloud,
      CloudTable.cloud(of: other.address.authority) != nil,
      environment.map({ other.cloud?.aliases.contains($0.normalised) == true }) ?? true
    {
      return other
    }
    // Another cloud has other tenants: only what stands for any tenant means something there.
    guard CloudTable.sharedTenants.contains(tenant) else { return self }
    return inCloud(of: environment) ?? self
  }
}

extension PublicClientApplication {
  /// The authority of a silent request; an application for several clouds finds the cloud of the account.
  func authority(
    of request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Authority {
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
