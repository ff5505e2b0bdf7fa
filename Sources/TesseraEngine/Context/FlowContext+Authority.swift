// SPDX-License-Identifier: MIT
// The authority of a silent request: the requested one, or that of the account.

import TesseraCache
import TesseraWire

extension FlowContext {
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
