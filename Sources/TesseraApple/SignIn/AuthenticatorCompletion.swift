// SPDX-License-Identifier: MIT
// Validates and stores the response of Microsoft Authenticator, including additional tokens.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The response of Microsoft Authenticator to one sign-in.
struct AuthenticatorCompletion {
  private let context: FlowContext
  private let pending: PendingAuthenticatorSignIn
  private let authority: ResolvedAuthority
  private let response: AuthenticatorResult
  private let tokens: AppleBrokerTokens
  /// The authority of the tokens; `nil` for an error response, and for an authority of another cloud.
  private let issuingAuthority: ResolvedAuthority?

  /// Prepares a response.
  ///
  /// All required network requests are sent here, before the sign-in is marked as used. If a server is unavailable, the
  /// call can be repeated.
  init(
    _ context: FlowContext, _ serverClient: ServerClient,
    _ pending: PendingAuthenticatorSignIn, _ authority: ResolvedAuthority,
    _ response: AuthenticatorResult
  ) throws(TesseraError) {
    self.context = context
    self.pending = pending
    self.authority = authority
    self.response = response
    tokens = AppleBrokerTokens(
      context, requested: authority.authority, of: pending.account,
      isSharedDevice: response.isSharedDevice)
    issuingAuthority = try AuthenticatorCompletion.issuingAuthority(
      of: response, context, serverClient, authority)
  }

  /// Returns the requested authority, or that of the account's cloud if the application supports several clouds.
  private static func issuingAuthority(
    of response: AuthenticatorResult, _ context: FlowContext,
    _ serverClient: ServerClient,
    _ authority: ResolvedAuthority
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard case .tokens = response.content,
      let host = response.authority.flatMap({ WebURL($0)?.authority })
    else { return nil }
    let own = authority.authority.address.authority
    if host == own || authority.cloud?.aliases.contains(host) == true { return authority }
    guard context.configuration.supportsMultipleClouds,
      let other = authority.authority.inCloud(
        of: host, discovered: context.resolver.discoveredClouds)
    else { return nil }
    return try context.resolver.resolve(other, serverClient)
  }

  /// Stores the tokens of the response, including those of an error response, and returns the result.
  ///
  /// - Throws: The error of an error response, unless it only declines scopes and has the token for the granted ones;
  ///   `accountMismatch` for tokens of another account.
  func storeTokens() throws(TesseraError) -> TokenResult {
    if let token = response.applicationToken {
      context.commitWithOwnTimeout(
        CacheChange([
          .signIns(.setApplicationToken(token, clientID: context.configuration.clientID))
        ]))
    }
    switch response.content {
    case .tokens(let json):
      do throws(TesseraError) {
        return try store(json)
      } catch {
        // The sign-in is already marked as used, so a retry would fail in the same way.
        guard error.isRetryable else { throw error }
        throw TesseraError(.signIn, .brokerResponseCorrupted, error.message).caused(by: error)
      }
    case .errorResponse(let errorResponse):
      let error = TesseraError(errorResponse, correlationID: pending.correlationID)
      let additional = response.additionalTokens.flatMap {
        tokens.storeAdditional($0, mainRecords: nil, from: authority)
      }
      if error.code == .serverDeclinedScopes, !error.declinedScopes.isEmpty,
        var result = additional
      {
        result.declinedScopes = error.declinedScopes
        return result
      }
      throw error.withAppProtectionDetails(authority.authority, nil)
    }
  }

  private func store(_ json: JSONObject) throws(TesseraError) -> TokenResult {
    guard let issuingAuthority else { throw unknownAuthorityError }
    let tokenRecords = try tokens.tokenRecords(json, pending.scopes, from: issuingAuthority)
    if let additional = response.additionalTokens {
      tokens.storeAdditional(additional, mainRecords: tokenRecords, from: issuingAuthority)
    }
    return try tokens.store(
      tokenRecords, from: issuingAuthority, pending.scopes,
      answering: pending.claims)
  }

  /// The error for tokens of an unknown authority or of another cloud.
  private var unknownAuthorityError: TesseraError {
    guard let host = response.authority.flatMap({ WebURL($0)?.authority }) else {
      return TesseraError(
        .signIn, .brokerResponseCorrupted,
        "The broker response does not contain the authority of its tokens: sign in again.")
    }
    return TesseraError(
      .fixConfiguration, .issuerMismatch,
      "The broker returned tokens of \(host), which is in a different cloud than \(authority.authority.text): configure an authority of that cloud."
    )
  }
}
