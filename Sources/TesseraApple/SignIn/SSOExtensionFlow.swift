// SPDX-License-Identifier: MIT
// Validates and stores the tokens in a response of the single sign-on extension.

import TesseraCache
import TesseraEngine
public import TesseraWire

/// A response of the extension with tokens, and the parameters of its request.
public struct SSOExtensionCompletion: Sendable {
  /// The header fields of the response (`authenticatedResponse.allHeaderFields`).
  public var headers: [String: String]
  /// The requested scopes.
  public var scopes: [String]
  /// The requested authority; `nil` for the one of the configuration.
  public var authority: String?
  /// The requested account; `nil` for any account.
  public var homeAccountID: String?
  /// Whether tokens of another account are accepted.
  public var acceptsOtherAccount = false
  /// The nonce of the ID token; `nil` if none was sent.
  public var nonce: Secret?
  /// The claims challenge of the request, as JSON text.
  ///
  /// With it, older access tokens are deleted.
  public var claims: String?
  /// The correlation ID of the request, which is a UUID.
  public var correlationID: String?
  /// The timeout of the call; `nil` for none.
  public var timeout: Duration?

  /// Creates a completion from a response and the requested scopes.
  public init(headers: [String: String], scopes: [String]) {
    self.headers = headers
    self.scopes = scopes
  }
}

/// Validates and stores one response of the extension.
struct SSOExtensionFlow {
  let context: FlowContext
  let completion: SSOExtensionCompletion
  let authority: Authority
  let scopes: Scopes
  let received: SSOExtensionTokenResponse
  let tokens: AppleBrokerTokens
  let serverClient: ServerClient

  init(
    _ context: FlowContext, _ completion: SSOExtensionCompletion,
    _ cancellation: Cancellation?
  ) throws(TesseraError) {
    self.context = context
    self.completion = completion
    let authority = try context.authority(named: completion.authority)
    self.authority = authority
    scopes = try RequestRules.scopes(
      completion.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.claims(completion.claims, at: authority)
    try RequestRules.correlationID(completion.correlationID)
    let response = try SSOExtensionResponse(headers: completion.headers)
    guard case .tokens(let received) = response.content else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "headers contain a response of the extension without tokens: pass the response to a token request."
      )
    }
    self.received = received
    let requestedHomeAccountID =
      completion.acceptsOtherAccount ? nil : completion.homeAccountID?.nonBlank
    tokens = AppleBrokerTokens(
      context, requested: authority,
      of: requestedHomeAccountID.map { AccountConstraint(homeAccountID: authority.normalised($0)) },
      isSharedDevice: response.device.mode == .shared)
    let dependencies = context.dependencies
    serverClient = ServerClient(
      dependencies,
      limits: CallLimits(
        timeout: completion.timeout, cancellation: cancellation,
        time: dependencies.time),
      correlationID: completion.correlationID
    ).identified()
  }

  func run() throws(TesseraError) -> TokenResult {
    try serverClient.limits.check(context.dependencies.time)
    if let error = received.error {
      storeAdditional(mainRecords: nil, from: nil)
      throw error.withAppProtectionDetails(authority, completion.homeAccountID)
    }
    let issuingAuthority = try resolved(try issuingAuthority())
    let tokenRecords = try tokens.tokenRecords(
      received.tokenResponse, scopes, from: issuingAuthority, nonce: completion.nonce)
    storeAdditional(mainRecords: tokenRecords, from: issuingAuthority)
    return try tokens.store(
      tokenRecords, from: issuingAuthority, scopes,
      answering: completion.claims)
  }

  private func resolved(_ authority: Authority) throws(TesseraError) -> ResolvedAuthority {
    try context.resolver.resolve(authority, serverClient)
  }

  /// Returns the authority that issued the tokens: the requested one, or its counterpart in the user's cloud.
  private func issuingAuthority() throws(TesseraError) -> Authority {
    let host = received.authority.flatMap { WebURL($0)?.authority }
    if host == authority.address.authority { return authority }
    if let other = authority.inCloud(
      of: host, discovered: context.resolver.discoveredClouds),
      other == authority || context.configuration.supportsMultipleClouds
    {
      return other
    }
    throw TesseraError(
      .fixConfiguration, .issuerMismatch,
      "The broker returned tokens of a different authority than \(authority.text); they were not stored: configure an authority of the account's cloud."
    )
  }

  /// Stores additional tokens of the response, if there are any.
  ///
  /// For an error response, the authority is resolved only in this case.
  private func storeAdditional(
    mainRecords main: TokenResponseRecords?, from issuingAuthority: ResolvedAuthority?
  ) {
    guard let json = received.additionalResponse,
      let issuingAuthority = issuingAuthority ?? (try? resolved(authority))
    else { return }
    tokens.storeAdditional(json, mainRecords: main, from: issuingAuthority)
  }
}
