// SPDX-License-Identifier: MIT
// Parsing of JSON requests for tokens, accounts and sign-outs.

import TesseraEngine
import TesseraWire

extension SilentRequest {
  /// Parses "SilentRequest" of docs/c-interface.md without `explain`, for an explanation.
  init(explaining text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(ExplainRequestMembers(text).silentOptions)
  }

  /// Reads the members that all silent requests have in common.
  init(_ members: SilentOptionsMembers) throws(TesseraError) {
    self.init(
      homeAccountID: try members.homeAccountID ?? "",
      scopes: try members.requestedScopes())
    username = try members.username
    environment = try members.environment
    isForApplication = try members.forApplication ?? false
    authority = try members.authority
    forcesRefresh = try members.forceRefresh ?? false
    claims = try members.claims
    extraTokenParameters = try members.extraTokenParameters ?? [:]
    extraQueryParameters = try members.extraQueryParameters ?? [:]
    timeout = try members.timeout
    correlationID = try members.correlationID
  }
}

extension DeviceCodeRequest {
  /// Parses "DeviceCodeRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try DeviceCodeRequestMembers(text)
    self.init(scopes: try members.requestedScopes())
    authority = try members.authority
    claims = try members.claims
    extraTokenParameters = try members.extraTokenParameters ?? [:]
    extraQueryParameters = try members.extraQueryParameters ?? [:]
    explains = try members.explain ?? false
    timeout = try members.timeout
    correlationID = try members.correlationID
  }
}

extension AccountsRequest {
  /// Parses "AccountsRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try AccountsRequestMembers(text, isOptional: true)
    self.init()
    homeAccountID = try members.homeAccountID
    username = try members.username
    localAccountID = try members.localAccountID
    environment = try members.environment
    signedInOnly = try members.signedInOnly ?? true
    includesClaims = try members.claims ?? false
    timeout = try members.timeout
  }

  /// Parses "AccountRequest", which identifies one account.
  init(singleAccount text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(text)
    guard [homeAccountID, username, localAccountID].count(where: { $0 != nil }) == 1 else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Pass exactly one of \"home_account_id\", \"username\" and \"local_account_id\".")
    }
  }
}

extension SignOutRequest {
  /// Parses "SignOutRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try SignOutRequestMembers(text)
    self.init(scope: try members.scope ?? .application)
    homeAccountID = try members.homeAccountID
    username = try members.username
    environment = try members.environment
    revokesTokens = try members.revokeTokens ?? false
    wantsEndSessionURL = try members.endSession ?? false
    postLogoutRedirectURI = try members.postLogoutRedirectURI
    fromBroker = try members.fromBroker ?? false
    authority = try members.authority
    timeout = try members.timeout
    correlationID = try members.correlationID
  }
}
