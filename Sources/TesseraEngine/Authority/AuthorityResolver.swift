// SPDX-License-Identifier: MIT
// From an authority to its endpoints: remembered in this process, then in the store, then asked for.

import TesseraCache
package import TesseraWire

/// Finds the endpoints of authorities, lazily, and remembers them for every process of the user.
package final class AuthorityResolver: Sendable {
  private let surroundings: Dependencies
  private let usesInstanceDiscovery: Bool
  /// The hosts that the application vouches for.
  private let knownHosts: Set<String>
  private let known = SpinLock<[Authority: DiscoveryRecord]>([:])
  /// Until when those are not asked again that did not answer, by the monotonic clock.
  private let resting = SpinLock<[Authority: UInt64]>([:])

  /// A resolver that remembers nothing yet.
  package init(
    _ surroundings: Dependencies, usesInstanceDiscovery: Bool, knownHosts: Set<String> = []
  ) {
    self.surroundings = surroundings
    self.usesInstanceDiscovery = usesInstanceDiscovery
    self.knownHosts = knownHosts
  }

  /// The authority with its endpoints.
  ///
  /// What is remembered is good for a day. Then it is asked for again, and used on, with a warning, if nobody answers.
  package func resolve(
    _ authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> ResolvedAuthority {
    let record = newestRecord(of: authority, exchange.limits)
    if let record, record.isFresh(at: surroundings.time.now),
      let resolved = try resolved(authority, record)
    {
      return resolved
    }
    guard let record, var old = try? resolved(authority, record) else {
      return try discover(authority, exchange, after: record)
    }
    if !isResting(authority) {
      do throws(TesseraError) {
        return try discover(
          authority, exchange.within(hurried(exchange.limits)), after: record)
      } catch {
        try exchange.limits.check(surroundings.time)
        guard error.isRetryable || error.code == .deadlineExceeded else { throw error }
        rest(authority)
      }
    }
    old.warnings.append(
      "The discovery document of \(authority.text) is older than a day and could not be fetched again; it was used all the same."
    )
    return old
  }

  private func discover(
    _ authority: Authority, _ exchange: Exchange, after old: DiscoveryRecord?
  ) throws(TesseraError) -> ResolvedAuthority {
    let isAsked = mustAsk(about: authority)
    // What somebody has said of a host is not forgotten for the word of a program.
    let known = old?.trustedCloud(of: authority) ?? authority.cloud
    let cloud = isAsked ? try cloud(of: authority, exchange) : known
    let configuration = try configuration(of: authority, exchange)
    let resolved = try ResolvedAuthority(authority, configuration, cloud: cloud)
    remember(authority, resolved, isVerified: isAsked, after: old, exchange.limits)
    return resolved
  }

  /// The authority as a record has it; nil for a record that says nothing.
  private func resolved(
    _ authority: Authority, _ record: DiscoveryRecord
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard let configuration = record.configuration else { return nil }
    return try ResolvedAuthority(
      authority, configuration, cloud: record.trustedCloud(of: authority))
  }

  /// The environments under which an authority's records may lie, as far as they are known without asking a server.
  package func environments(of authority: Authority, within limits: CallLimits) -> [String] {
    guard let builtIn = authority.cloud else { return [authority.issuerEnvironment ?? ""] }
    let isKnown =
      authority.type != .entra || CloudTable.cloud(of: authority.address.authority) != nil
    let cloud =
      isKnown ? builtIn : record(of: authority, limits)?.trustedCloud(of: authority) ?? builtIn
    return [cloud.preferredCache] + cloud.aliases
  }

  /// The clouds elsewhere that instance discovery declared, as far as this process knows them.
  package var discoveredClouds: [CloudInstance] {
    known.withLock { known in
      known.filter { !$0.key.address.isLoopback }
        .compactMap { authority, record in record.trustedCloud(of: authority) }
    }
  }

  private func record(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    known.withLock { $0[authority] } ?? storedRecord(of: authority, limits)
  }

  /// The record of this process, or a newer one of another process.
  private func newestRecord(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    let own = known.withLock { $0[authority] }
    if let own, own.isFresh(at: surroundings.time.now) { return own }
    return storedRecord(of: authority, limits) ?? own
  }

  private func storedRecord(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: authority.text)]
    // A store that can't be read is no reason not to ask the server.
    guard
      let record = (try? surroundings.store.snapshot(selection, within: limits))?
        .discovery(of: authority.text), record.isVerified || !mustAsk(about: authority)
    else { return nil }
    known.withLock { $0[authority] = record }
    return record
  }

  private func remember(
    _ authority: Authority, _ resolved: ResolvedAuthority, isVerified: Bool,
    after old: DiscoveryRecord?, _ limits: CallLimits
  ) {
    let record = DiscoveryRecord(
      authority: authority.text, configuration: resolved.configuration, cloud: resolved.cloud,
      isVerified: isVerified, at: surroundings.time.now)
    known.withLock { $0[authority] = record }
    // An old record is of more use to those who ask than a new one that nobody has verified.
    if old?.isVerified == true, !isVerified { return }
    do throws(TesseraError) {
      try surroundings.store.commit(CacheChange([.put(.discovery(record))]), within: limits)
    } catch {
      surroundings.log.write(.warning, "Discovery was not remembered: \(error.code.rawValue)")
    }
  }

  /// Whether somebody else than this application has to vouch for the host of an authority.
  ///
  /// Built-in hosts need nobody; nor do kinds whose hosts Microsoft keeps no list of.
  private func mustAsk(about authority: Authority) -> Bool {
    let host = authority.address.authority
    return authority.type == .entra && usesInstanceDiscovery && CloudTable.cloud(of: host) == nil
      && !knownHosts.contains(host)
  }

  /// Who vouches for the host, and which hosts are the same cloud.
  ///
  /// The public cloud has to know a host that is not built in; a provider on this machine is trusted for its own host only.
  private func cloud(
    of authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> CloudInstance? {
    let host = authority.address.authority
    let origin =
      authority.address.isLoopback
      ? authority.address.origin : "https://" + CloudTable.trustedHost
    let request = InstanceDiscoveryRequest(discoveryOrigin: origin, authority: authority.text)
    let json = try exchange.document(request.httpRequest, of: authority)
    let cloud = try TesseraError.wrapping { () throws(WireError) in
      try InstanceDiscovery(json).cloud(of: host)
    }
    return CloudInstance.trusted(cloud, isVerified: true, for: authority)
  }

  private func configuration(
    of authority: Authority, _ exchange: Exchange
  ) throws(TesseraError) -> OpenIDConfiguration {
    let json = try exchange.document(.get(authority.configurationURL), of: authority)
    return try TesseraError.wrapping { () throws(WireError) in try OpenIDConfiguration(json) }
  }
}

extension AuthorityResolver {
  /// Seconds for which a server that did not answer is not asked again for what is remembered.
  private static let pause: Int64 = 300
  /// Milliseconds that asking again may take when there is something to use on.
  private static let patience: Int64 = 10_000

  private func isResting(_ authority: Authority) -> Bool {
    let now = surroundings.time.monotonicNanoseconds
    return resting.withLock { $0[authority] ?? 0 } > now
  }

  private func rest(_ authority: Authority) {
    let end = surroundings.time.monotonicNanoseconds(inSeconds: AuthorityResolver.pause)
    resting.withLock { $0[authority] = end }
  }

  /// Half of the time that is left: the token request comes after it.
  private func hurried(_ limits: CallLimits) -> CallLimits {
    let time = surroundings.time
    let half = limits.nanosecondsLeft(time).map { Int64(clamping: $0 / 2_000_000) } ?? .max
    return limits.atMost(milliseconds: min(half, AuthorityResolver.patience), time)
  }
}
