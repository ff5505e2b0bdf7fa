// SPDX-License-Identifier: MIT
// From an authority to its endpoints: remembered in this process, then in the store, then asked for.

import TesseraCache
import TesseraWire

/// Finds the endpoints of authorities, lazily, and remembers them for every process of the user.
package final class AuthorityResolver: Sendable {
  private let surroundings: Surroundings
  private let usesInstanceDiscovery: Bool
  private let known = BriefLock<[Authority: DiscoveryRecord]>([:])

  /// A resolver that remembers nothing yet.
  package init(_ surroundings: Surroundings, usesInstanceDiscovery: Bool) {
    self.surroundings = surroundings
    self.usesInstanceDiscovery = usesInstanceDiscovery
  }

  /// The authority with its endpoints.
  package func resolve(
    _ authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> ResolvedAuthority {
    if let resolved = try remembered(authority, exchange.limits) { return resolved }
    let cloud = try cloud(of: authority, exchange)
    let configuration = try configuration(of: authority, exchange)
    let resolved = try ResolvedAuthority(authority, configuration, cloud: cloud)
    remember(authority, resolved, exchange.limits)
    return resolved
  }

  /// The environments under which an authority's records may lie, as far as they are known without asking a server.
  package func environments(of authority: Authority, within limits: CallLimits) -> [String] {
    guard let builtIn = authority.cloud else { return [authority.issuerEnvironment ?? ""] }
    let isBuiltIn = CloudTable.cloud(of: authority.address.authority) != nil
    let cloud = isBuiltIn ? builtIn : record(of: authority, limits)?.cloud ?? builtIn
    return [cloud.preferredCache] + cloud.aliases
  }

  private func remembered(
    _ authority: Authority, _ limits: CallLimits
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard let record = record(of: authority, limits), record.isFresh(at: surroundings.time.now),
      let configuration = record.configuration
    else { return nil }
    return try ResolvedAuthority(authority, configuration, cloud: record.cloud ?? authority.cloud)
  }

  private func record(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    if let record = known.withLock({ $0[authority] }) { return record }
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: authority.text)]
    // A store that can't be read is no reason not to ask the server.
    guard
      let record = (try? surroundings.store.snapshot(selection, within: limits))?
        .discovery(of: authority.text)
    else { return nil }
    known.withLock { $0[authority] = record }
    return record
  }

  private func remember(
    _ authority: Authority, _ resolved: ResolvedAuthority, _ limits: CallLimits
  ) {
    let record = DiscoveryRecord(
      authority: authority.text, configuration: resolved.configuration, cloud: resolved.cloud,
      at: surroundings.time.now)
    known.withLock { $0[authority] = record }
    do throws(TesseraError) {
      try surroundings.store.commit(CacheChange([.put(.discovery(record))]), within: limits)
    } catch {
      surroundings.log.write(.warning, "Discovery was not remembered: \(error.code.rawValue)")
    }
  }

  /// Who vouches for the host, and which hosts are the same cloud.
  ///
  /// Built-in hosts need nobody. Any other one has to be known to the public cloud; a provider on this machine
  /// answers for itself, and for hosts on this machine only.
  private func cloud(
    of authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> CloudInstance? {
    let host = authority.address.authority
    guard authority.isEntra, usesInstanceDiscovery, CloudTable.cloud(of: host) == nil else {
      return authority.cloud
    }
    let isLocal = authority.address.isLoopback
    let origin = isLocal ? authority.address.origin : "https://" + CloudTable.trustedHost
    let request = InstanceDiscoveryRequest(discoveryOrigin: origin, authority: authority.text)
    let json = try exchange.document(request.httpRequest, of: authority)
    let cloud = try TesseraError.wrapping { () throws(WireError) in
      try InstanceDiscovery(json).cloud(of: host)
    }
    guard let cloud, isLocal,
      !cloud.aliases.allSatisfy({ WebAddress("http://\($0)")?.isLoopback == true })
    else { return cloud ?? authority.cloud }
    return authority.cloud
  }

  private func configuration(
    of authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> OpenIDConfiguration {
    let json = try exchange.document(.get(authority.configurationURL), of: authority)
    return try TesseraError.wrapping { () throws(WireError) in try OpenIDConfiguration(json) }
  }
}
