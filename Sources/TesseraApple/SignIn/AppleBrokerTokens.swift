// SPDX-License-Identifier: MIT
// Tokens from a broker of an Apple system: validated like those of a server, and stored with additional tokens.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The tokens of one response of Microsoft Authenticator or the single sign-on extension.
struct AppleBrokerTokens {
  private let context: FlowContext
  /// The requested authority.
  private let requested: Authority
  /// The account of the expected tokens; `nil` for any account.
  private let account: AccountConstraint?
  /// Whether several users share the device.
  ///
  /// Access tokens are then not stored (MSAL for Apple).
  private let isSharedDevice: Bool

  init(
    _ context: FlowContext, requested: Authority, of account: AccountConstraint?,
    isSharedDevice: Bool
  ) {
    self.context = context
    self.requested = requested
    self.account = account
    self.isSharedDevice = isSharedDevice
  }

  /// Validates a token response and returns its records.
  ///
  /// Values that belong to other applications are removed first.
  ///
  /// - Parameter nonce: The nonce of the ID token, which is then required; `nil` if none was sent.
  /// - Throws: `accountMismatch` for tokens of another account, and the errors for an invalid response of a server.
  func tokenRecords(
    _ json: JSONObject, _ scopes: Scopes, from resolved: ResolvedAuthority, nonce: Secret? = nil
  ) throws(TesseraError) -> TokenResponseRecords {
    var expected = context.expectation(of: resolved, scopes)
    expected.nonce = nonce
    // A broker may return a cached ID token that has expired.
    expected.allowsExpiredIDToken = true
    let time = context.dependencies.time
    let own = TokenResponse.own(json, of: context.configuration.clientID)
    let responseTime = ResponseTime(at: time.now, bootTime: time.bootTime)
    let tokenRecords = try TokenResponseRecords(ReceivedDocument(own, responseTime), expected)
    try account?.check(tokenRecords)
    return tokenRecords
  }

  /// Stores the tokens as those of a sign-in, and returns the result.
  func store(
    _ tokenRecords: TokenResponseRecords, from resolved: ResolvedAuthority, _ scopes: Scopes,
    answering claims: String?
  ) throws(TesseraError) -> TokenResult {
    try context.storeSignIn(
      tokenRecords, at: (requested, resolved), scopes, answering: claims,
      storesAccessToken: !isSharedDevice)
  }

  /// Stores an additional token response, for example for the management of the application.
  ///
  /// An error in it does not affect the main response (MSAL for Apple). Its ID token may be from an earlier request, so its
  /// nonce is not checked.
  ///
  /// - Parameter main: The records of the main response, which must be for the same account; `nil` for an error response.
  /// - Returns: The result; `nil` if the tokens were not stored.
  @discardableResult
  func storeAdditional(
    _ json: JSONObject, mainRecords main: TokenResponseRecords?, from resolved: ResolvedAuthority
  ) -> TokenResult? {
    do throws(TesseraError) {
      let scopes = Scopes(parsing: json["scope"]?.string ?? "")
      let tokenRecords = try tokenRecords(json, scopes, from: resolved).withAppProtection(
        of: context.configuration, from: resolved.authority)
      let owner = tokenRecords.identity.homeAccountID
      guard main?.identity.homeAccountID ?? owner == owner else {
        throw TesseraError.accountMismatchError(tokenRecords)
      }
      var change = tokenRecords.change(
        from: resolved, requested: requested,
        isInstanceAware: context.configuration.supportsMultipleClouds)
      let isShared = isSharedDevice || TokenResponse.isFromSharedDevice(json)
      if isShared { change.omitAccessTokens() }
      var result = try context.store(change, tokenRecords, from: resolved, scopes, nil)
      if isShared { result.isPersisted = false }
      return result
    } catch {
      context.dependencies.log.write(
        .warning, "The additional tokens of the broker could not be stored: \(error.code.rawValue)")
      return nil
    }
  }
}
