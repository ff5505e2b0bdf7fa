// SPDX-License-Identifier: MIT
// Tokens that a broker of an Apple system hands over: checked like a server's, and stored with what came beside them.

import TesseraCache
import TesseraWire

/// What Microsoft Authenticator or the single sign-on extension hands over for one request.
struct AppleBrokerTokens {
  private let application: PublicClientApplication
  /// The authority that was asked.
  private let requested: Authority
  /// Whose tokens must have come; nil for anybody's.
  private let account: AccountConstraint?
  /// Whether people share the device: then no access token is kept there (MSAL for Apple).
  private let isSharedDevice: Bool

  init(
    _ application: PublicClientApplication, requested: Authority, of account: AccountConstraint?,
    isSharedDevice: Bool
  ) {
    self.application = application
    self.requested = requested
    self.account = account
    self.isSharedDevice = isSharedDevice
  }

  /// The receipt of a token response, without what is another program's.
  ///
  /// - Parameter nonce: what the ID token must have, which has to be there then; nil if none was sent.
  /// - Throws: `accountMismatch` for somebody else's tokens, and what a server's would be refused with.
  func receipt(
    _ json: JSONObject, _ scopes: Scopes, from place: ResolvedAuthority, nonce: Secret? = nil
  ) throws(TesseraError) -> TokenReceipt {
    var expected = application.expectation(of: place, scopes)
    expected.nonce = nonce
    // A broker answers from a cache of its own, in which ID tokens grow old.
    expected.mayBeOlder = true
    let time = application.surroundings.time
    let own = TokenResponse.own(json, of: application.configuration.clientID)
    let arrival = ResponseTime(at: time.now, moment: time.moment)
    let receipt = try TokenReceipt(ReceivedDocument(own, arrival), expected)
    try account?.check(receipt)
    return receipt
  }

  /// Stores tokens as those of a sign-in, and gives the token.
  func store(
    _ receipt: TokenReceipt, from place: ResolvedAuthority, _ scopes: Scopes,
    answersChallenge: Bool
  ) throws(TesseraError) -> TokenResult {
    try application.store(
      CompletedSignIn(
        receipt: receipt, authority: place, requested: requested, scopes: scopes,
        answersChallenge: answersChallenge, keepsAccessToken: !isSharedDevice))
  }

  /// Stores a token response for something else that came along, such as for the management of the application.
  ///
  /// What is wrong with it is no fault of the others (MSAL for Apple). Its ID token may be of an earlier request, and need
  /// not have the nonce of this one.
  ///
  /// - Parameter main: the tokens beside which it came, and whose person it must be of; nil beside a refusal.
  /// - Returns: the token; nil for one that was not stored.
  @discardableResult
  func storeAdditional(
    _ json: JSONObject, beside main: TokenReceipt?, from place: ResolvedAuthority
  ) -> TokenResult? {
    do throws(TesseraError) {
      let scopes = Scopes(parsing: json["scope"]?.string ?? "")
      let receipt = application.configuration.protecting(
        try receipt(json, scopes, from: place), from: place.authority)
      let person = receipt.identity.homeAccountID
      guard main?.identity.homeAccountID ?? person == person else {
        throw TesseraError.somebodyElse(receipt)
      }
      var change = receipt.change(
        from: place, requested: requested,
        isInstanceAware: application.configuration.supportsMultipleClouds)
      let isShared = isSharedDevice || TokenResponse.isOfSharedDevice(json)
      if isShared { change.omitAccessTokens() }
      var result = try application.store(change, receipt, from: place, scopes, nil)
      if isShared { result.isPersisted = false }
      return result
    } catch {
      application.surroundings.log.write(
        .warning, "The additional tokens of the broker were not stored: \(error.code.rawValue)")
      return nil
    }
  }
}
