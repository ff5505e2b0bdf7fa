// SPDX-License-Identifier: MIT
// The application: one object for many authorities and accounts, over one shared cache.

package import TesseraCache
package import TesseraWire

/// An application that signs people in on their own device and so keeps no secret of its own (RFC 6749 section 2.1).
///
/// Making one does no I/O. It may be used by several threads at once; every call does its work on the calling thread.
public final class PublicClientApplication: Sendable {
  /// What it was made with.
  public let configuration: ApplicationConfiguration
  package let surroundings: Dependencies
  package let cache: CredentialCache
  package let resolver: AuthorityResolver
  private let defaultAuthority: Authority
  private let knownAuthorities: [Authority]
  let answers: RememberedAnswers
  let throttles = ThrottleMemory()
  /// What Entra is told of earlier calls; nil where the program has not allowed it.
  package let telemetry: TelemetryMemory?
  /// The capabilities as the claims that tell this application's tokens from those without; nil for none.
  let capabilityClaims: String?
  /// Where the answer of a sign-in comes to.
  package let redirectURI: RedirectURI

  /// Makes an application in given surroundings.
  ///
  /// - Throws: `fixConfiguration` for a setting that cannot work.
  package init(
    _ configuration: ApplicationConfiguration, in surroundings: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    self.surroundings = surroundings
    defaultAuthority = try configuration.checked()
    redirectURI = try configuration.checkedRedirectURI(at: defaultAuthority)
    knownAuthorities = try configuration.checkedKnownAuthorities()
    capabilityClaims = ClaimsRequest.parameter(
      nil, capabilities: configuration.sortedCapabilities)
    cache = CredentialCache(
      store: surroundings.store, time: surroundings.time, log: surroundings.log)
    answers = RememberedAnswers(cache, time: surroundings.time)
    telemetry = configuration.sendsServerTelemetry ? TelemetryMemory() : nil
    resolver = AuthorityResolver(
      surroundings, usesInstanceDiscovery: configuration.usesInstanceDiscovery,
      knownHosts: Set(knownAuthorities.map(\.address.authority)))
  }

  /// Returns a token without asking the user: from the cache, or with a refresh token.
  ///
  /// Call this first. When it throws with remedy ``Remedy/signIn``, start an interactive flow such as
  /// ``acquireTokenByDeviceCode(_:cancellation:prompt:)`` and pass on the error's claims.
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameters:
  ///   - request: the account and the scopes that the token must cover.
  ///   - cancellation: stops the call from another thread; nil for none.
  /// - Returns: a token that is valid for at least ``ApplicationConfiguration/expiryMarginSeconds``, or for half of its
  ///   lifetime if that is less.
  /// - Throws: ``TesseraError``; the remedies it can have here are `signIn`, `retryLater`, `fixRequest`,
  ///   `fixConfiguration`, `fixStorage` and `cancelled`.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func acquireTokenSilent(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if let result = remembered(request) { return result }
    let limits = limits(request.timeoutMilliseconds, cancellation)
    return try acquireTokenSilent(request, within: limits)
  }

  /// Signs a person in on another device: shows a code, and waits until it was entered there (RFC 8628).
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameters:
  ///   - request: the scopes to ask for.
  ///   - cancellation: stops the call from another thread; nil for none.
  ///   - prompt: shows the code to the person; called once, on the calling thread.
  /// - Throws: ``TesseraError``; `signIn` with code `code_expired` when nobody entered the code in time, `cancelled` with
  ///   code `access_denied` when the person declined, `fixConfiguration` with code `flow_unsupported` where
  ///   ``ApplicationConfiguration/broker`` is ``BrokerPolicy/require``.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, cancellation: Cancellation?,
    prompt: (DeviceCodePrompt) -> Void
  ) throws(TesseraError) -> TokenResult {
    try DeviceCodeFlow(self, request, cancellation).run(prompt)
  }
}

extension PublicClientApplication {
  /// The answer that this process gave before, if it is still true.
  package func remembered(_ request: SilentRequest) -> TokenResult? {
    answers.answer(to: request)
  }

  /// A token that was not given before; it is remembered for whoever asks again.
  func acquireTokenSilent(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    let answer = try silentAnswer(to: request, within: limits)
    answers.remember(answer, to: request)
    return answer.result
  }

  /// The answer of the silent flow, with what it takes to give it again; it is not remembered here.
  package func silentAnswer(
    to request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    var answer = try namingUserName(request, limits) { () throws(TesseraError) in
      try SilentFlow(self, request, within: limits).run()
    }
    // Who a name is may change with everybody who signs in.
    if request.homeAccountID.isEmpty { answer.truth = nil }
    return answer
  }

  /// The hosts of the Entra authorities that the application was made with.
  var entraHosts: Set<String> {
    Set(([defaultAuthority] + knownAuthorities).filter(\.isEntra).map(\.address.environment))
  }

  /// The authority of a request, or the application's own.
  package func authority(named name: String?) throws(TesseraError) -> Authority {
    guard let name else { return defaultAuthority }
    // An authority on the host of the application's own, or of one that it vouches for, is of the same kind.
    let origin = WebAddress(name)?.origin
    let neighbour = ([defaultAuthority] + knownAuthorities).first { $0.address.origin == origin }
    do throws(TesseraError) {
      return try Authority(name, type: neighbour.map { type(of: name, beside: $0) })
    } catch {
      throw TesseraError(.fixRequest, .invalidAuthority, error.message)
    }
  }

  /// The kind of an authority on the host of another one: what its address tells, else the other one's.
  private func type(of name: String, beside other: Authority) -> AuthorityType {
    guard other.isMicrosoft, other.text != name else { return other.type }
    return WebAddress(name).flatMap(AuthorityType.init(of:)) ?? other.type
  }

  /// Stores what an exchange brought.
  ///
  /// The exchange is done, and the server may have forgotten the old refresh token: neither a cancellation nor a deadline
  /// that passes now may lose the new one, so the store gets a time of grace.
  ///
  /// - Returns: nil, or why it is in memory only.
  @discardableResult
  package func keep(_ change: CacheChange) -> TesseraError? {
    cache.commit(change, within: CallLimits(timeoutMilliseconds: 5_000, time: surroundings.time))
  }

  /// Stores what came back and makes the result of it.
  package func store(
    _ change: CacheChange, _ receipt: TokenReceipt, from authority: ResolvedAuthority,
    _ scopes: Scopes, _ before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    let problem = keep(change)
    var result = try receipt.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let problem {
      result.isPersisted = false
      result.warnings.append(problem.message)
    }
    try receipt.checkScopes(scopes, result)
    return result
  }
}
