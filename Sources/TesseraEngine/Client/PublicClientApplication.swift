// SPDX-License-Identifier: MIT
// The application object, for any number of authorities and accounts with one shared cache.

/// An OAuth 2.0 public client, which runs on the user's device and has no client secret (RFC 6749 section 2.1).
///
/// The initializer does no I/O. The object is thread-safe. Blocking calls do their work on the calling thread.
public final class PublicClientApplication: Sendable {
  /// The configuration of the application.
  public let configuration: ApplicationConfiguration
  /// The state that the calls of the application share.
  let context: FlowContext
  // Copies of the context's values: reading them through `context` could retain it, and a cache hit of the C interface
  // must not change a reference count. `responses` is valid as long as `context`, which frees its memory.
  package let cache: CredentialCache
  package let responses: ResponseCache

  /// Creates an application with its dependencies.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  package init(
    _ configuration: ApplicationConfiguration, in dependencies: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    context = try FlowContext(configuration, in: dependencies)
    cache = context.cache
    responses = context.results.responses
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
    return try SilentCall(context, within: limits(request.timeout, cancellation)).run(request)
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
    try DeviceCodeFlow(context, request, cancellation).run(prompt)
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
  package var dependencies: Dependencies { context.dependencies }
  package var resolver: AuthorityResolver { context.resolver }
  /// The telemetry of earlier calls for Entra; `nil` unless the configuration enables it.
  package var telemetry: TelemetryHistory? { context.telemetry }

  /// Returns the authority of a request, or the default one.
  ///
  /// - Throws: `fixRequest` with code `invalid_authority` for an invalid address.
  package func authority(named name: String?) throws(TesseraError) -> Authority {
    try context.authority(named: name)
  }

  /// Returns the cached result of an equal request; `nil` on a cache miss.
  package func cachedResult(_ request: SilentRequest) -> TokenResult? {
    context.results.result(for: request)
  }

  /// Runs the silent flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  package func silentResult(
    to request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    try SilentCall(context, within: limits).result(of: request)
  }

  /// Returns the limits of a call that starts now.
  package func limits(
    _ timeout: Duration?, _ cancellation: Cancellation? = nil
  ) -> CallLimits {
    CallLimits(
      timeout: timeout, cancellation: cancellation, time: dependencies.time)
  }

  /// Returns the limits of a call that starts now.
  ///
  /// - Throws: `cancelled` if the call is already cancelled.
  func startedLimits(
    _ timeout: Duration?, _ cancellation: Cancellation?
  ) throws(TesseraError) -> CallLimits {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return limits(timeout, cancellation)
  }
}
