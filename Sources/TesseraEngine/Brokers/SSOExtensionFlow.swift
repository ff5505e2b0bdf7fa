// SPDX-License-Identifier: MIT
// Keeping tokens that the single sign-on extension answered with: checked as a server's, then stored as any others.

import TesseraCache
public import TesseraWire

/// An answer of the extension with tokens, and what was asked for.
public struct SSOExtensionCompletion: Sendable {
  /// The header fields of the answer (`authenticatedResponse.allHeaderFields`).
  public var headers: [String: String]
  /// The scopes that were asked for.
  public var scopes: [String]
  /// The authority that was asked for; nil for that of the configuration.
  public var authority: String?
  /// The account that was asked for; nil for anybody.
  public var homeAccountID: String?
  /// Whether somebody else's tokens are welcome.
  public var acceptsOtherAccount = false
  /// The nonce that the ID token must have; nil if none was sent.
  public var nonce: Secret?
  /// The claims challenge that was passed on, as JSON text: older tokens are then forgotten.
  public var claims: String?
  /// A UUID that was sent along.
  public var correlationID: String?
  /// Milliseconds until the call gives up; nil for no limit.
  public var timeoutMilliseconds: Int64?

  /// An answer to a request for scopes.
  public init(headers: [String: String], scopes: [String]) {
    self.headers = headers
    self.scopes = scopes
  }
}

extension PublicClientApplication {
  /// Checks the tokens that the single sign-on extension of an Apple system answered with, and stores them.
  ///
  /// Issuer, application, tenant, nonce, account and scopes must be those that were asked for, as with a server. On a
  /// device that is shared, the access token is handed out and not stored. A silent call finds them afterwards.
  ///
  /// - Throws: ``TesseraError``; what the server said where the answer is its refusal; `signIn` with code
  ///   `account_mismatch` for somebody else's tokens and `server_declined_scopes` with the token for what was granted;
  ///   `fixConfiguration` with code `issuer_mismatch` for tokens of another authority.
  public func storeSSOExtensionTokens(
    _ completion: SSOExtensionCompletion, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> TokenResult {
    try SSOExtensionFlow(self, completion, cancellation).run()
  }
}

/// One answer of the extension that is stored.
private struct SSOExtensionFlow {
  let application: PublicClientApplication
  let completion: SSOExtensionCompletion
  let authority: Authority
  let scopes: Scopes
  let answer: SSOExtensionTokenAnswer
  let tokens: AppleBrokerTokens
  let exchange: Exchange

  init(
    _ application: PublicClientApplication, _ completion: SSOExtensionCompletion,
    _ cancellation: Cancellation?
  ) throws(TesseraError) {
    self.application = application
    self.completion = completion
    let authority = try application.authority(named: completion.authority)
    self.authority = authority
    scopes = try RequestRules.scopes(
      completion.scopes, of: application.configuration.clientID, at: authority)
    try RequestRules.claims(completion.claims, at: authority)
    try RequestRules.correlationID(completion.correlationID)
    let response = try SSOExtensionResponse(headers: completion.headers)
    guard case .tokens(let answer) = response.content else {
      throw TesseraError(
        .fixRequest, .invalidMember, "headers are an answer of the extension that has no tokens.")
    }
    self.answer = answer
    let asked = completion.acceptsOtherAccount ? nil : completion.homeAccountID?.nonBlank
    tokens = AppleBrokerTokens(
      application, requested: authority,
      of: asked.map { AccountConstraint(homeAccountID: authority.normalised($0)) },
      isSharedDevice: response.device.mode == .shared)
    let surroundings = application.surroundings
    exchange = Exchange(
      surroundings,
      limits: CallLimits(
        timeoutMilliseconds: completion.timeoutMilliseconds, cancellation: cancellation,
        time: surroundings.time),
      correlationID: completion.correlationID
    ).identified()
  }

  func run() throws(TesseraError) -> TokenResult {
    try exchange.limits.check(application.surroundings.time)
    if let refusal = answer.refusal {
      storeAdditional(beside: nil, from: nil)
      throw refusal.naming(authority, completion.homeAccountID)
    }
    let place = try resolved(try place())
    let receipt = try tokens.receipt(
      answer.tokenResponse, scopes, from: place, nonce: completion.nonce)
    storeAdditional(beside: receipt, from: place)
    return try tokens.store(
      receipt, from: place, scopes, answersChallenge: ClaimsRequest.isRequest(completion.claims))
  }

  private func resolved(_ authority: Authority) throws(TesseraError) -> ResolvedAuthority {
    try application.resolver.resolve(authority, exchange)
  }

  /// The authority that gave the tokens: the one that was asked for, or it in the person's own cloud.
  private func place() throws(TesseraError) -> Authority {
    let host = answer.authority.flatMap { WebAddress($0)?.authority }
    if host == authority.address.authority { return authority }
    if let other = authority.inCloud(
      of: host, discovered: application.resolver.discoveredClouds),
      other == authority || application.configuration.supportsMultipleClouds
    {
      return other
    }
    throw TesseraError(
      .fixConfiguration, .issuerMismatch,
      "The broker answered with tokens of another authority than \(authority.text); they were not stored."
    )
  }

  /// Stores the tokens for another resource that came along, if any did; only then is an authority needed beside a refusal.
  private func storeAdditional(beside main: TokenReceipt?, from place: ResolvedAuthority?) {
    guard let json = answer.additionalResponse, let place = place ?? (try? resolved(authority))
    else { return }
    tokens.storeAdditional(json, beside: main, from: place)
  }
}
