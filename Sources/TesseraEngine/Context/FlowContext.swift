// SPDX-License-Identifier: MIT
// The state that the calls of an application share.

package import TesseraCache
package import TesseraWire

/// The configuration, the dependencies and the state that all calls of an application share.
package final class FlowContext: Sendable {
  package let configuration: ApplicationConfiguration
  package let dependencies: Dependencies
  package let cache: CredentialCache
  package let resolver: AuthorityResolver
  let defaultAuthority: Authority
  let knownAuthorities: [Authority]
  let results: CachedResults
  package let throttles = InMemoryThrottles()
  /// The telemetry of earlier calls for Entra; `nil` unless the configuration enables it.
  let telemetry: TelemetryHistory?
  /// The client capabilities in the form stored with the tokens; `nil` for none.
  let capabilityClaims: String?
  /// The redirect URI of browser sign-ins.
  package let redirectURI: RedirectURI

  /// Creates the context of an application.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  init(
    _ configuration: ApplicationConfiguration, in dependencies: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    self.dependencies = dependencies
    defaultAuthority = try configuration.checked()
    redirectURI = try configuration.checkedRedirectURI(at: defaultAuthority)
    knownAuthorities = try configuration.checkedKnownAuthorities()
    capabilityClaims = ClaimsRequest.parameter(
      nil, capabilities: configuration.sortedCapabilities)
    cache = CredentialCache(
      store: dependencies.store, time: dependencies.time, log: dependencies.log)
    results = CachedResults(cache, time: dependencies.time)
    telemetry = configuration.sendsServerTelemetry ? TelemetryHistory() : nil
    resolver = AuthorityResolver(
      dependencies, usesInstanceDiscovery: configuration.usesInstanceDiscovery,
      knownHosts: Set(knownAuthorities.map(\.address.authority)))
  }
}

extension FlowContext {
  /// The hosts of the Entra authorities in the configuration.
  package var entraHosts: Set<String> {
    Set(([defaultAuthority] + knownAuthorities).filter(\.isEntra).map(\.address.environment))
  }

  /// Returns the authority of a request, or the default one.
  ///
  /// - Throws: `fixRequest` with code `invalid_authority` for an invalid address.
  package func authority(named name: String?) throws(TesseraError) -> Authority {
    guard let name else { return defaultAuthority }
    // An authority on the host of the default authority, or of a known one, has the same type.
    let origin = WebURL(name)?.origin
    let sameOrigin = ([defaultAuthority] + knownAuthorities).first { $0.address.origin == origin }
    do throws(TesseraError) {
      return try Authority(name, type: sameOrigin.map { type(of: name, onHostOf: $0) })
    } catch {
      throw TesseraError(.fixRequest, .invalidAuthority, error.message)
    }
  }

  /// Returns the type of an authority on the host of another one, from its address or else that of the other one.
  private func type(of name: String, onHostOf other: Authority) -> AuthorityType {
    guard other.isMicrosoft, other.text != name else { return other.type }
    return WebURL(name).flatMap(AuthorityType.init(of:)) ?? other.type
  }
}

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
  package func authority(
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

extension FlowContext {
  /// Returns the telemetry of a call; `nil` unless the configuration enables it.
  func telemetry(
    of function: CallTelemetry.Function, _ refreshType: CurrentTelemetry.RefreshType = .none
  ) -> CallTelemetry? {
    telemetry.map {
      CallTelemetry(
        history: $0,
        current: CurrentTelemetry(apiID: function.rawValue, refreshType: refreshType))
    }
  }

  /// Returns the expected values of a response to this application.
  package func expectation(
    of authority: ResolvedAuthority, _ scopes: Scopes, homeAccountID: String? = nil
  ) -> TokenExpectation {
    var expected = TokenExpectation(
      authority: authority, clientID: configuration.clientID, scopes: scopes,
      homeAccountID: homeAccountID)
    expected.requestedClaims = capabilityClaims
    return expected
  }
}

extension FlowContext {
  /// Commits a change that follows from a response of the server.
  ///
  /// The server may already have invalidated the old refresh token. Therefore neither a cancellation nor a deadline may
  /// lose the new one: the commit has its own timeout.
  @discardableResult
  package func commitWithOwnTimeout(_ change: CacheChange) -> CredentialCache.CommitResult {
    cache.commit(
      change,
      within: CallLimits(
        timeoutMilliseconds: CallLimits.commitMilliseconds, time: dependencies.time))
  }

  /// Stores the tokens of a response, and returns its result, with the scopes that the server declined.
  ///
  /// - Throws: The error of a response that cannot be used.
  package func store(
    _ change: CacheChange, _ tokenRecords: TokenResponseRecords, from authority: ResolvedAuthority,
    _ scopes: Scopes, _ before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    let commit = commitWithOwnTimeout(change)
    var result = try tokenRecords.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let warning = commit.warning {
      result.isPersisted = false
      result.warnings.append(warning)
    }
    result.declinedScopes = tokenRecords.declinedScopes(of: scopes)
    return result
  }
}

extension CredentialCache.CommitResult {
  /// The reason why the tokens are not in the store; `nil` if they are.
  fileprivate var warning: String? {
    switch self {
    case .committed(.applied), .committed(.migrated): nil
    case .committed(.superseded(let removal)): removal.warning
    case .queued(let problem): problem.message
    }
  }
}

extension CommitOutcome.Removal {
  fileprivate var warning: String {
    switch self {
    case .signOut: "The account signed out while its token was being refreshed: sign in again."
    case .refreshToken:
      "Another process removed the refresh token while it was being redeemed: sign in again."
    case .importedToken:
      "The migrated refresh token was removed while it was being redeemed, for example by a sign-out."
    }
  }
}

extension FlowContext {
  /// The timeout for storing a record, in milliseconds.
  ///
  /// Afterwards it is kept in this process only.
  private static let recordTimeoutMilliseconds: Int64 = 250

  /// Records that a request must not be sent for some time.
  ///
  /// - Parameters:
  ///   - key: The name of the record, and the account ID of its owner.
  ///   - seconds: The duration for requests without a valid token, in seconds.
  ///   - backoffSeconds: The duration for requests with a valid token.
  func recordThrottle(
    _ error: TesseraError, as key: (name: String, owner: String), forSeconds seconds: Int64,
    backoffSeconds: Int64 = 0, failures: Int64 = 1
  ) {
    guard max(seconds, backoffSeconds) > 0 else { return }
    let time = dependencies.time
    let clocks = time.clocks
    let record = ThrottleRecord(
      name: key.name, homeAccountID: key.owner, clientID: configuration.clientID,
      at: clocks, blockedForSeconds: seconds, backoffForSeconds: backoffSeconds, failures: failures,
      error: error.recordedMembers)
    do throws(TesseraError) {
      try dependencies.store.commit(
        CacheChange([.throttle(record, at: clocks)]),
        within: CallLimits(
          timeoutMilliseconds: FlowContext.recordTimeoutMilliseconds, time: time))
    } catch {
      dependencies.log.write(
        .warning,
        "The failed request is throttled in this process only; the store reported \(error.code.rawValue)."
      )
      throttles.add(record, at: clocks)
    }
  }

  /// Throttles requests with declined scopes, because the server would decline them again (as in MSAL for Apple).
  func recordDeclinedScopes(of result: TokenResult, as key: (name: String, owner: String)) {
    guard !result.declinedScopes.isEmpty else { return }
    let error = TesseraError(declinedScopesOf: result)
    recordThrottle(error, as: key, forSeconds: ThrottleRule.rejectionSeconds(after: error))
  }
}

extension TesseraError {
  /// Creates the error that states why a request with declined scopes is not sent again.
  init(declinedScopesOf result: TokenResult) {
    self.init(
      .signIn, .serverDeclinedScopes,
      """
      The server granted fewer scopes than requested; it declined: \
      \(Scopes(result.declinedScopes).text). Sign in again and consent, or request only the granted scopes.
      """)
    grantedScopes = Scopes(result.scopes).minus(.reserved).list
    declinedScopes = result.declinedScopes
  }
}
