// SPDX-License-Identifier: MIT
// Resolves authorities to their endpoints: from memory, then from the store, then from the server.

package import TesseraCache
package import TesseraWire

/// Resolves the endpoints of authorities on demand and caches them for all processes of the user.
package final class AuthorityResolver: Sendable {
  private let dependencies: Dependencies
  private let usesInstanceDiscovery: Bool
  /// The hosts that the application configuration declares as trusted.
  private let knownHosts: Set<String>
  private let cachedRecords = SpinLock<[Authority: DiscoveryRecord]>([:])
  /// The times on the monotonic clock until which a failed discovery is not retried.
  private let retryTimes = SpinLock<[Authority: UInt64]>([:])

  /// Creates a resolver with an empty cache.
  package init(
    _ dependencies: Dependencies, usesInstanceDiscovery: Bool, knownHosts: Set<String> = []
  ) {
    self.dependencies = dependencies
    self.usesInstanceDiscovery = usesInstanceDiscovery
    self.knownHosts = knownHosts
  }

  /// Returns the authority with its endpoints.
  ///
  /// A cached discovery document is valid for one day. Then it is fetched again. If the server is unavailable, the
  /// stale document is used with a warning.
  ///
  /// - Parameter snapshot: A snapshot that includes ``unreadKey(of:)``; `nil` to read the record if necessary.
  package func resolve(
    _ authority: Authority, _ serverClient: ServerClient, in snapshot: CacheSnapshot? = nil
  ) throws(TesseraError) -> ResolvedAuthority {
    let record = newestRecord(of: authority, snapshot, serverClient.limits)
    if let record, record.isFresh(at: dependencies.time.now),
      let resolved = try resolved(authority, record)
    {
      return resolved
    }
    guard let record, var old = try? resolved(authority, record) else {
      return try discover(authority, serverClient, after: record)
    }
    if !isBackingOff(authority) {
      do throws(TesseraError) {
        return try discover(
          authority, serverClient.within(halved(serverClient.limits)), after: record)
      } catch {
        try serverClient.limits.check(dependencies.time)
        guard error.isRetryable || error.code == .deadlineExceeded else { throw error }
        backOff(authority)
      }
    }
    old.warnings.append(
      "The discovery document of \(authority.text) is older than one day and could not be fetched again; the cached document was used."
    )
    return old
  }

  private func discover(
    _ authority: Authority, _ serverClient: ServerClient, after old: DiscoveryRecord?
  ) throws(TesseraError) -> ResolvedAuthority {
    let needsDiscovery = requiresInstanceDiscovery(about: authority)
    // Keep a verified cloud: an application whose configuration trusts the host must not replace it by an unverified one.
    let known = old?.trustedCloud(of: authority) ?? authority.cloud
    let cloud = needsDiscovery ? try cloud(of: authority, serverClient) : known
    let configuration = try configuration(of: authority, serverClient)
    let resolved = try ResolvedAuthority(authority, configuration, cloud: cloud)
    cache(authority, resolved, isVerified: needsDiscovery, after: old, serverClient.limits)
    return resolved
  }

  /// Returns the authority of a cached record, or `nil` if the record has no discovery document.
  private func resolved(
    _ authority: Authority, _ record: DiscoveryRecord
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard let configuration = record.configuration else { return nil }
    return try ResolvedAuthority(
      authority, configuration, cloud: record.trustedCloud(of: authority))
  }

  /// Returns the environments under which records of an authority may be stored, without network access.
  package func environments(of authority: Authority, within limits: CallLimits) -> [String] {
    guard let builtIn = authority.cloud else { return [authority.issuerEnvironment ?? ""] }
    let isKnown =
      authority.type != .entra || CloudTable.cloud(of: authority.address.authority) != nil
    let cloud =
      isKnown ? builtIn : record(of: authority, limits)?.trustedCloud(of: authority) ?? builtIn
    return [cloud.preferredCache] + cloud.aliases
  }

  /// The clouds from instance discovery that this process has cached, except those of loopback authorities.
  package var discoveredClouds: [CloudInstance] {
    cachedRecords.withLock { records in
      records.filter { !$0.key.address.isLoopback }
        .compactMap { authority, record in record.trustedCloud(of: authority) }
    }
  }

  private func record(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    cachedRecords.withLock { $0[authority] } ?? storedRecord(of: authority, limits)
  }

  /// Returns the key of the stored record, or `nil` if this process has cached a fresh one.
  package func unreadKey(of authority: Authority) -> RecordKey? {
    let own = cachedRecords.withLock { $0[authority] }
    if let own, own.isFresh(at: dependencies.time.now) { return nil }
    return DiscoveryRecord.key(authority: authority.text)
  }

  /// Returns the cached record of this process, or a newer one from the store.
  private func newestRecord(
    of authority: Authority, _ snapshot: CacheSnapshot?, _ limits: CallLimits
  ) -> DiscoveryRecord? {
    let own = cachedRecords.withLock { $0[authority] }
    if let own, own.isFresh(at: dependencies.time.now) { return own }
    guard let snapshot else { return storedRecord(of: authority, limits) ?? own }
    return record(of: authority, in: snapshot) ?? own
  }

  private func storedRecord(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: authority.text)]
    // If the store cannot be read, the document is fetched from the server.
    let snapshot = try? dependencies.store.snapshot(selection, within: limits)
    return snapshot.flatMap { record(of: authority, in: $0) }
  }

  /// Returns the record in a snapshot, and caches it, unless this application must not use it.
  private func record(of authority: Authority, in snapshot: CacheSnapshot) -> DiscoveryRecord? {
    guard let record = snapshot.discovery(of: authority.text),
      record.isVerified || !requiresInstanceDiscovery(about: authority)
    else { return nil }
    cachedRecords.withLock { $0[authority] = record }
    return record
  }

  private func cache(
    _ authority: Authority, _ resolved: ResolvedAuthority, isVerified: Bool,
    after old: DiscoveryRecord?, _ limits: CallLimits
  ) {
    let record = DiscoveryRecord(
      authority: authority.text, configuration: resolved.configuration, cloud: resolved.cloud,
      isVerified: isVerified, at: dependencies.time.now)
    cachedRecords.withLock { $0[authority] = record }
    // Keep the old record in the store: a verified record is usable by more applications than an unverified one.
    if old?.isVerified == true, !isVerified { return }
    do throws(TesseraError) {
      try dependencies.store.commit(CacheChange([.put(.discovery(record))]), within: limits)
    } catch {
      dependencies.log.write(
        .warning, "The discovery document could not be stored: \(error.code.rawValue)")
    }
  }

  /// Returns whether the host of an authority requires instance discovery.
  ///
  /// Built-in hosts and the known hosts of the configuration do not. Neither do authorities other than Entra, for which
  /// Microsoft publishes no list of hosts.
  private func requiresInstanceDiscovery(about authority: Authority) -> Bool {
    let host = authority.address.authority
    return authority.type == .entra && usesInstanceDiscovery && CloudTable.cloud(of: host) == nil
      && !knownHosts.contains(host)
  }

  /// Verifies the host by instance discovery, and returns its cloud.
  ///
  /// The instance discovery of the public cloud must list the host. A provider at a loopback address is trusted for its own
  /// host only.
  private func cloud(
    of authority: Authority, _ serverClient: ServerClient
  ) throws(TesseraError) -> CloudInstance? {
    let host = authority.address.authority
    let origin =
      authority.address.isLoopback
      ? authority.address.origin : "https://" + CloudTable.trustedHost
    let request = InstanceDiscoveryRequest(discoveryOrigin: origin, authority: authority.text)
    let json = try serverClient.document(request.httpRequest, of: authority)
    let cloud = try TesseraError.wrapping { () throws(WireError) in
      try InstanceDiscovery(json).cloud(of: host)
    }
    return CloudInstance.trusted(cloud, isVerified: true, for: authority)
  }

  private func configuration(
    of authority: Authority, _ serverClient: ServerClient
  ) throws(TesseraError) -> OpenIDConfiguration {
    let json = try serverClient.document(.get(authority.configurationURL), of: authority)
    return try TesseraError.wrapping { () throws(WireError) in try OpenIDConfiguration(json) }
  }
}

extension AuthorityResolver {
  /// The backoff after a failed discovery while a stale document is cached, in seconds.
  private static let backoffSeconds: Int64 = 300
  /// The timeout for refreshing a stale document, in milliseconds.
  private static let refreshTimeoutMilliseconds: Int64 = 10_000

  private func isBackingOff(_ authority: Authority) -> Bool {
    let now = dependencies.time.monotonicNanoseconds
    return retryTimes.withLock { $0[authority] ?? 0 } > now
  }

  private func backOff(_ authority: Authority) {
    let end = dependencies.time.monotonicNanoseconds(inSeconds: AuthorityResolver.backoffSeconds)
    retryTimes.withLock { $0[authority] = end }
  }

  /// Returns limits with half of the remaining time, because the token request follows.
  private func halved(_ limits: CallLimits) -> CallLimits {
    let time = dependencies.time
    let half = limits.nanosecondsLeft(time).map { Int64(clamping: $0 / 2_000_000) } ?? .max
    return limits.atMost(
      milliseconds: min(half, AuthorityResolver.refreshTimeoutMilliseconds), time)
  }
}
