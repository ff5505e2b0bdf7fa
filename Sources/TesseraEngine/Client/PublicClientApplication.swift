// SPDX-License-Identifier: MIT
// The application object, for any number of authorities and accounts with one shared cache.

package import TesseraCache
package import TesseraWire

/// An OAuth 2.0 public client, which runs on the user's device and has no client secret (RFC 6749 section 2.1).
///
/// The initializer does no I/O. The object is thread-safe. Blocking calls do their work on the calling thread.
public final class PublicClientApplication: Sendable {
  /// The configuration of the application.
  public let configuration: ApplicationConfiguration
  package let dependencies: Dependencies
  package let cache: CredentialCache
  package let resolver: AuthorityResolver
  let defaultAuthority: Authority
  let knownAuthorities: [Authority]
  let answers: RememberedAnswers
  let throttles = InMemoryThrottles()
  /// The telemetry of earlier calls for Entra; `nil` unless the configuration enables it.
  package let telemetry: TelemetryHistory?
  /// The client capabilities in the form stored with the tokens; `nil` for none.
  let capabilityClaims: String?
  /// The redirect URI of browser sign-ins.
  package let redirectURI: RedirectURI

  /// Creates an application with its dependencies.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  package init(
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
    answers = RememberedAnswers(cache, time: dependencies.time)
    telemetry = configuration.sendsServerTelemetry ? TelemetryHistory() : nil
    resolver = AuthorityResolver(
      dependencies, usesInstanceDiscovery: configuration.usesInstanceDiscovery,
      knownHosts: Set(knownAuthorities.map(\.address.authority)))
  }

  /// Returns an access token without user interaction, from the cache or with a refresh token.
  ///
  /// Call this function before any interactive one. If it throws an error with remedy ``TesseraError/Remedy/signIn``,
  /// start an interactive flow such as ``acquireTokenByDeviceCode(_:cancellation:prompt:)``, and pass on the claims of the
  /// error.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The account and the requested scopes.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  /// - Returns: A token that is valid for at least ``ApplicationConfiguration/expiryMargin``, or for half of its
  ///   lifetime if that is less.
  /// - Throws: ``TesseraError`` with remedy `signIn`, `retryLater`, `fixRequest`, `fixConfiguration`, `fixStorage` or
  ///   `cancelled`.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenSilent(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if let result = cachedResult(request) { return result }
    let limits = limits(request.timeout, cancellation)
    return try acquireTokenSilent(request, within: limits)
  }

  /// Signs in a user on another device: shows a code, and waits until the user has entered it there (RFC 8628).
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The requested scopes.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  ///   - prompt: Shows the code to the user; called once, on the calling thread.
  /// - Throws: ``TesseraError``; `signIn` with code `code_expired` if the user did not enter the code in time, `cancelled`
  ///   with code `access_denied` if the user declined, `fixConfiguration` with code `flow_unsupported` if
  ///   ``ApplicationConfiguration/broker`` is ``BrokerPolicy/require``.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, cancellation: Cancellation?,
    prompt: (DeviceCodePrompt) -> Void
  ) throws(TesseraError) -> TokenResult {
    try DeviceCodeFlow(self, request, cancellation).run(prompt)
  }
}

extension PublicClientApplication: CustomStringConvertible, CustomReflectable {
  /// The client ID and the authority.
  public var description: String {
    "PublicClientApplication(\(configuration.clientID), \(configuration.authority))"
  }

  /// A mirror with the configuration, because cached responses contain tokens.
  public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}

extension PublicClientApplication {
  /// Returns the cached result of an equal request; `nil` on a cache miss.
  package func cachedResult(_ request: SilentRequest) -> TokenResult? {
    answers.answer(to: request)
  }

  /// Runs the silent flow and caches its result.
  func acquireTokenSilent(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    let answer = try silentResult(to: request, within: limits)
    answers.remember(answer, to: request)
    return answer.result
  }

  /// Runs the silent flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  package func silentResult(
    to request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    var answer = try explainingUserName(request, limits) { () throws(TesseraError) in
      try SilentFlow(self, request, within: limits).run()
    }
    // Any sign-in may change the account of a user name. Such a result is not cached.
    if request.homeAccountID.isEmpty { answer.truth = nil }
    return answer
  }

  /// The hosts of the Entra authorities in the configuration.
  var entraHosts: Set<String> {
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

  /// Commits a change that follows from a response of the server.
  ///
  /// The server may already have invalidated the old refresh token. Therefore neither a cancellation nor a deadline may
  /// lose the new one: the commit has its own timeout.
  ///
  /// - Returns: `nil`, or the reason why the tokens are in memory only.
  @discardableResult
  package func commitWithOwnTimeout(_ change: CacheChange) -> TesseraError? {
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
    let problem = commitWithOwnTimeout(change)
    var result = try tokenRecords.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let problem {
      result.isPersisted = false
      result.warnings.append(problem.message)
    }
    result.declinedScopes = tokenRecords.declinedScopes(of: scopes)
    return result
  }
}
