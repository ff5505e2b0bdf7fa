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
  let response: SSOExtensionResponse
  let answer: SSOExtensionTokenAnswer
  let exchange: Exchange

  init(
    _ application: PublicClientApplication, _ completion: SSOExtensionCompletion,
    _ cancellation: Cancellation?
  ) throws(TesseraError) {
    self.application = application
    self.completion = completion
    authority = try application.authority(named: completion.authority)
    scopes = try RequestRules.scopes(
      completion.scopes, of: application.configuration.clientID, at: authority)
    try RequestRules.claims(completion.claims, at: authority)
    try RequestRules.correlationID(completion.correlationID)
    response = try SSOExtensionResponse(headers: completion.headers)
    guard case .tokens(let answer) = response.content else {
      throw TesseraError(
        .fixRequest, .invalidMember, "headers are an answer of the extension that has no tokens.")
    }
    self.answer = answer
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
      keepAdditional(beside: nil, from: try? resolved(authority))
      throw refusal.naming(authority, completion.homeAccountID)
    }
    let place = try resolved(try place())
    let receipt = try receipt(of: answer.tokenResponse, scopes, from: place)
    try checkAccount(of: receipt)
    keepAdditional(beside: receipt, from: place)
    return try application.storeSignIn(
      receipt, from: place, requested: authority, scopes,
      answersChallenge: completion.claims != nil, keepsAccessToken: !isShared)
  }

  /// A device that many people use keeps no access token (MSAL for Apple).
  private var isShared: Bool { response.device.mode == .shared }

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

  private func receipt(
    of json: JSONObject, _ scopes: Scopes, from place: ResolvedAuthority
  ) throws(TesseraError) -> TokenReceipt {
    let clientID = application.configuration.clientID
    var json = json
    if let owner = json["client_id"]?.string?.nonBlank, owner.normalised != clientID.normalised {
      // A token that belongs to the broker itself, or to another program, is not this one's to redeem.
      json["refresh_token"] = nil
      json["foci"] = nil
    }
    var expected = TokenExpectation(authority: place, clientID: clientID, scopes: scopes)
    expected.requestedClaims = application.capabilityClaims
    expected.nonce = completion.nonce
    // A broker answers from a cache of its own, in which ID tokens grow old.
    expected.mayBeOlder = true
    let time = application.surroundings.time
    return try TokenReceipt(json, expected, Arrival(at: time.now, moment: time.moment))
  }

  private func checkAccount(of receipt: TokenReceipt) throws(TesseraError) {
    guard let asked = completion.homeAccountID?.nonBlank, !completion.acceptsOtherAccount,
      authority.normalised(asked) != receipt.identity.homeAccountID
    else { return }
    var error = TesseraError(
      .signIn, .accountMismatch,
      "The broker answered with somebody else's tokens than were asked for; nothing was stored.")
    error.username = receipt.account.username
    error.homeAccountID = receipt.identity.homeAccountID
    throw error
  }

  /// Keeps the tokens for another resource that came along; what is wrong with them is no fault of the others.
  private func keepAdditional(beside main: TokenReceipt?, from place: ResolvedAuthority?) {
    guard let json = answer.additionalResponse, let place, !isShared,
      let receipt = try? receipt(
        of: json, Scopes(parsing: json["scope"]?.string ?? ""), from: place),
      (try? checkAccount(of: receipt)) != nil,
      main.map({ $0.identity.homeAccountID == receipt.identity.homeAccountID }) ?? true
    else { return }
    let protected = application.configuration.protecting(receipt, from: place.authority)
    application.keep(protected.change(from: place, requested: authority))
  }
}
