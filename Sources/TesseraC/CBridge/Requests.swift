// SPDX-License-Identifier: MIT
// Parsing of JSON requests for tokens, accounts and sign-outs.

import TesseraEngine
import TesseraWire

extension SilentRequest {
  /// Parses "SilentRequest" of docs/c-interface.md.
  ///
  /// - Parameters:
  ///   - others: Additional members that the calling function accepts.
  ///   - read: Reads the additional members.
  init(
    _ text: UnsafePointer<CChar>?, others: [String] = [],
    _ read: (RequestDocument) throws(TesseraError) -> Void = { _ in }
  ) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "home_account_id", "username", "environment", "for_application", "scopes", "resource",
        "authority", "force_refresh",
        "claims", "extra_token_parameters", "extra_query_parameters",
        "timeout_milliseconds", "correlation_id",
      ] + others)
    try read(document)
    self.init(
      homeAccountID: try document.string("home_account_id") ?? "",
      scopes: try document.scopes())
    username = try document.string("username")
    environment = try document.string("environment")
    isForApplication = try document.bool("for_application") ?? false
    authority = try document.string("authority")
    forcesRefresh = try document.bool("force_refresh") ?? false
    claims = try document.string("claims")
    extraTokenParameters = try document.stringDictionary("extra_token_parameters") ?? [:]
    extraQueryParameters = try document.stringDictionary("extra_query_parameters") ?? [:]
    timeout = try document.milliseconds("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }
}

extension DeviceCodeRequest {
  /// Parses "DeviceCodeRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "scopes", "resource", "authority", "claims", "extra_token_parameters",
        "extra_query_parameters", "explain", "timeout_milliseconds", "correlation_id",
      ])
    self.init(scopes: try document.scopes())
    authority = try document.string("authority")
    claims = try document.string("claims")
    extraTokenParameters = try document.stringDictionary("extra_token_parameters") ?? [:]
    extraQueryParameters = try document.stringDictionary("extra_query_parameters") ?? [:]
    explains = try document.bool("explain") ?? false
    timeout = try document.milliseconds("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }
}

extension AccountsRequest {
  /// Parses "AccountsRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "home_account_id", "username", "local_account_id", "environment", "signed_in_only",
        "claims", "timeout_milliseconds",
      ], isOptional: true)
    self.init()
    homeAccountID = try document.string("home_account_id")
    username = try document.string("username")
    localAccountID = try document.string("local_account_id")
    environment = try document.string("environment")
    signedInOnly = try document.bool("signed_in_only") ?? true
    includesClaims = try document.bool("claims") ?? false
    timeout = try document.milliseconds("timeout_milliseconds")
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
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "home_account_id", "username", "environment", "scope", "revoke_tokens", "end_session",
        "post_logout_redirect_uri", "from_broker", "authority", "timeout_milliseconds",
        "correlation_id",
      ])
    self.init(scope: try document.choice("scope", SignOutScope.self) ?? .application)
    homeAccountID = try document.string("home_account_id")
    username = try document.string("username")
    environment = try document.string("environment")
    revokesTokens = try document.bool("revoke_tokens") ?? false
    wantsEndSessionURL = try document.bool("end_session") ?? false
    postLogoutRedirectURI = try document.string("post_logout_redirect_uri")
    fromBroker = try document.bool("from_broker") ?? false
    authority = try document.string("authority")
    timeout = try document.milliseconds("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }
}
