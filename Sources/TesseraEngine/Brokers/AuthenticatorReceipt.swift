// SPDX-License-Identifier: MIT
// What an answer of Microsoft Authenticator is worth: checked and stored like every other answer, with what comes beside it.

import TesseraCache
import TesseraWire

/// The answer of a broker to one sign-in.
struct AuthenticatorReceipt {
  private let application: PublicClientApplication
  private let pending: PendingAuthenticatorSignIn
  private let authority: ResolvedAuthority
  private let answer: AuthenticatorAnswer
  private let tokens: AppleBrokerTokens
  /// Where the tokens come from; nil for a refusal, and for tokens that the authority cannot have given.
  private let place: ResolvedAuthority?

  /// Reads an answer.
  ///
  /// Whatever has to be asked for is asked for here, before the answer is used up: a server that cannot be reached costs nothing.
  init(
    _ application: PublicClientApplication, _ exchange: Exchange,
    _ pending: PendingAuthenticatorSignIn, _ authority: ResolvedAuthority,
    _ answer: AuthenticatorAnswer
  ) throws(TesseraError) {
    self.application = application
    self.pending = pending
    self.authority = authority
    self.answer = answer
    tokens = AppleBrokerTokens(
      application, requested: authority.authority, of: pending.account,
      isSharedDevice: answer.isSharedDevice)
    place = try AuthenticatorReceipt.place(of: answer, application, exchange, authority)
  }

  /// The cloud that was asked, or the account's own where the application is for several.
  private static func place(
    of answer: AuthenticatorAnswer, _ application: PublicClientApplication, _ exchange: Exchange,
    _ authority: ResolvedAuthority
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard case .tokens = answer.content,
      let host = answer.authority.flatMap({ WebAddress($0)?.authority })
    else { return nil }
    let own = authority.authority.address.authority
    if host == own || authority.cloud?.aliases.contains(host) == true { return authority }
    guard application.configuration.supportsMultipleClouds,
      let other = authority.authority.inCloud(
        of: host, discovered: application.resolver.discoveredClouds)
    else { return nil }
    return try application.resolver.resolve(other, exchange)
  }

  /// Stores what an answer brings, also beside a refusal, and gives the token.
  ///
  /// - Throws: what the broker says, if it is a refusal; `accountMismatch` for somebody else's tokens.
  func settle() throws(TesseraError) -> TokenResult {
    if let token = answer.applicationToken {
      application.keep(
        CacheChange([.signIns(.keep(token, clientID: application.configuration.clientID))]))
    }
    switch answer.content {
    case .tokens(let json):
      do throws(TesseraError) {
        return try store(json)
      } catch {
        // It is used up, and says the same whenever it is read.
        guard error.isRetryable else { throw error }
        throw TesseraError(.signIn, .brokerResponseCorrupted, error.message).caused(by: error)
      }
    case .refusal(let refusal):
      var error = TesseraError(refusal, correlationID: pending.correlationID)
      error.result = answer.additionalTokens.flatMap {
        tokens.storeAdditional($0, beside: nil, from: authority)
      }
      throw error.naming(authority.authority, nil)
    }
  }

  private func store(_ json: JSONObject) throws(TesseraError) -> TokenResult {
    guard let place else { throw strangeAuthority }
    let receipt = try tokens.receipt(json, pending.scopes, from: place)
    if let additional = answer.additionalTokens {
      tokens.storeAdditional(additional, beside: receipt, from: place)
    }
    return try tokens.store(
      receipt, from: place, pending.scopes,
      answersChallenge: ClaimsRequest.isRequest(pending.claims))
  }

  /// Why tokens have no place.
  private var strangeAuthority: TesseraError {
    guard let host = answer.authority.flatMap({ WebAddress($0)?.authority }) else {
      return TesseraError(
        .signIn, .brokerResponseCorrupted,
        "The broker does not say which authority its tokens are of.")
    }
    return TesseraError(
      .fixConfiguration, .issuerMismatch,
      "The broker answered with tokens of \(host), which is another cloud than \(authority.authority.text)."
    )
  }
}
