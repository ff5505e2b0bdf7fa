// SPDX-License-Identifier: MIT
// The application object of services.

public import TesseraEngine

/// An OAuth 2.0 confidential client, which authenticates with a credential (RFC 6749 section 2.1).
///
/// ```swift
/// var configuration = ApplicationConfiguration(clientID: "00000000-0000-0000-0000-000000000000")
/// configuration.authority = "https://login.microsoftonline.com/contoso.onmicrosoft.com"
/// configuration.credential = .secretFile("/run/secrets/client")
/// let application = try ConfidentialClientApplication(configuration)
/// ```
///
/// The initializer does no I/O. The object is thread-safe. Blocking calls do their work on the calling thread.
public final class ConfidentialClientApplication: Sendable {
  /// The application object of the engine, whose requests have the credential.
  package let application: PublicClientApplication

  /// Creates an application from the object of the engine.
  package init(_ application: PublicClientApplication) {
    self.application = application
  }

  /// The configuration of the application.
  public var configuration: ApplicationConfiguration { application.configuration }

  /// Returns the metrics of this application since its creation; see ``PublicClientApplication/metrics()``.
  public func metrics() -> MetricsSnapshot { application.metrics() }
}

extension ConfidentialClientApplication: CustomStringConvertible, CustomReflectable {
  /// The client ID and the authority.
  public var description: String {
    "ConfidentialClientApplication(\(configuration.clientID), \(configuration.authority))"
  }

  /// A mirror with the configuration.
  public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}

extension ConfidentialClientApplication {
  /// Returns an access token of a user, from the cache or with a refresh token; see
  /// ``PublicClientApplication/acquireTokenSilent(_:cancellation:)``.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The account and the requested scopes.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenSilent(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    try application.acquireTokenSilent(request, cancellation: cancellation)
  }

  /// Begins a sign-in on a page that the web application redirects to; see
  /// ``PublicClientApplication/beginSignIn(_:cancellation:)``.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func beginSignIn(
    _ request: SignInRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> SignInSession {
    try application.beginSignIn(request, cancellation: cancellation)
  }

  /// Completes a sign-in with the response that the browser delivered; see
  /// ``PublicClientApplication/completeSignIn(_:cancellation:)``.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func completeSignIn(
    _ completion: RedirectResponse, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    try application.completeSignIn(completion, cancellation: cancellation)
  }

  /// Returns the accounts that match a request; see ``PublicClientApplication/accounts(_:cancellation:)``.
  public func accounts(
    _ request: AccountsRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [Account] {
    try application.accounts(request, cancellation: cancellation)
  }

  /// Signs a user out of this application; see ``PublicClientApplication/signOut(_:cancellation:)``.
  public func signOut(
    _ request: SignOutRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> SignOutReport {
    try application.signOut(request, cancellation: cancellation)
  }
}

extension ConfidentialClientApplication {
  /// Returns an access token of a user, without blocking; see ``acquireTokenSilent(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  public func acquireTokenSilent(_ request: SilentRequest) async throws -> TokenResult {
    try await application.acquireTokenSilent(request)
  }

  /// Begins a sign-in, without blocking; see ``beginSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  public func beginSignIn(_ request: SignInRequest) async throws -> SignInSession {
    try await application.beginSignIn(request)
  }

  /// Completes a sign-in, without blocking; see ``completeSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  public func completeSignIn(_ completion: RedirectResponse) async throws -> TokenResult {
    try await application.completeSignIn(completion)
  }
}
