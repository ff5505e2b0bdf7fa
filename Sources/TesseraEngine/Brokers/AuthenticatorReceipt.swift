// SPDX-License-Identifier: MIT
// What an answer of Microsoft Authenticator is worth: checked and stored like every other answer, with what comes beside it.

import TesseraCache
import TesseraWire

/// The answer of a broker to one sign-in.
struct AuthenticatorReceipt {
  private let application: PublicClientApplication
  private let exchange: Exchange
  private let pending: PendingAuthenticatorSignIn
  private let authority: ResolvedAuthority

  init(
    _ application: PublicClientApplication, _ exchange: Exchange,
    _ pending: PendingAuthenticatorSignIn, _ authority: ResolvedAuthority
  ) {
    self.application = application
    self.exchange = exchange
    self.pending = pending
    self.authority = authority
  }

  /// Stores what an answer brings, also beside a refusal, and gives the token.
  ///
  /// - Throws: what the broker says, if it is a refusal; `accountMismatch` for somebody else's tokens.
  func settle(_ answer: AuthenticatorAnswer) throws(TesseraError) -> TokenResult {
    if let token = answer.applicationToken {
      application.keep(
        CacheChange([.signIns(.keep(token, clientID: application.configuration.clientID))]))
    }
    let additional = additionalResult(answer)
    switch answer.content {
    case .tokens(let json):
      let place = try place(of: answer)
      let receipt = try receipt(json, place, pending.scopes)
      return try application.storeSignIn(
        receipt, from: place, requested: authority.authority, pending.scopes,
        answersChallenge: pending.claims != nil, keepsAccessToken: !answer.isSharedDevice)
    case .refusal(let refusal):
      var error = TesseraError(refusal, correlationID: pending.correlationID)
      error.result = additional
      throw error.naming(authority.authority, nil)
    }
  }

  private func receipt(
    _ json: JSONObject, _ place: ResolvedAuthority, _ scopes: Scopes
  ) throws(TesseraError) -> TokenReceipt {
    var expected = TokenExpectation(
      authority: place, clientID: application.configuration.clientID, scopes: scopes)
    expected.requestedClaims = application.capabilityClaims
    expected.mayBeOlder = true
    let time = application.surroundings.time
    let receipt = try TokenReceipt(json, expected, Arrival(at: time.now, moment: time.moment))
    let account = receipt.identity.homeAccountID
    guard pending.account?.accepts(account, named: receipt.account.username) ?? true else {
      var error = TesseraError(
        .signIn, .accountMismatch,
        "Somebody else signed in than the account that was asked for; nothing was stored.")
      error.username = receipt.account.username
      error.homeAccountID = account
      throw error
    }
    return receipt
  }

  /// The token for something else that came beside the answer, such as for the management of the application; nil for none.
  ///
  /// MSAL for Apple: one that cannot be stored is no reason to fail.
  private func additionalResult(_ answer: AuthenticatorAnswer) -> TokenResult? {
    guard let json = answer.additionalTokens else { return nil }
    do throws(TesseraError) {
      let scopes = Scopes(parsing: json["scope"]?.string ?? "")
      let receipt = try receipt(json, authority, scopes)
      let protected = application.configuration.protecting(receipt, from: authority.authority)
      var change = protected.change(from: authority)
      let isShared = json["device_mode"]?.string?.normalised == "shared"
      if answer.isSharedDevice || isShared { change.omitAccessTokens() }
      return try application.store(change, receipt, from: authority, scopes, nil)
    } catch {
      application.surroundings.log.write(
        .warning, "The additional tokens of the broker were not stored: \(error.code.rawValue)")
      return nil
    }
  }

  /// Where the tokens come from: the cloud that was asked, or the account's own where the application is for several.
  private func place(of answer: AuthenticatorAnswer) throws(TesseraError) -> ResolvedAuthority {
    guard let named = answer.authority.flatMap({ WebAddress($0) }) else {
      throw TesseraError(
        .retryLater, .invalidResponse, "The broker does not say which authority its tokens are of.")
    }
    let own = authority.authority.address.authority
    if named.authority == own || authority.cloud?.aliases.contains(named.authority) == true {
      return authority
    }
    guard application.configuration.supportsMultipleClouds,
      let other = authority.authority.inCloud(
        of: named.authority, discovered: application.resolver.discoveredClouds)
    else {
      throw TesseraError(
        .fixConfiguration, .issuerMismatch,
        "The broker answered with tokens of \(named.authority), which is another cloud than \(authority.authority.text)."
      )
    }
    return try application.resolver.resolve(other, exchange)
  }
}
