// SPDX-License-Identifier: MIT
// Broker functions other than token requests. They are available with any broker policy.

public import TesseraWire

extension PublicClientApplication {
  /// Returns the version of the identity broker of this machine.
  ///
  /// Use it to detect whether there is one.
  ///
  /// - Throws: ``TesseraError``; `fixConfiguration` with code `broker_unavailable` if there is no broker, `retryLater` with
  ///   code `broker_unresponsive` if it does not respond, `cancelled`; or the error of the broker (docs/brokers.md):
  ///   `retryLater` with code `network_failed` or `server_unavailable`, `signIn` with code `interaction_required`,
  ///   `account_not_found`, `account_mismatch` or `device_required`, `fixRequest` with code `request_rejected`,
  ///   `fixConfiguration` with code `client_rejected` or `invalid_authority`, `cancelled` with code `access_denied`.
  public func brokerVersion(
    _ request: BrokerRequest = BrokerRequest(), cancellation: Cancellation? = nil
  ) throws(TesseraError) -> String {
    let client = try brokerClient(request, cancellation)
    return try client.convertingFailure { () throws(BrokerFailure) in try client.version() }
  }

  /// Returns the accounts that the broker has for this application, whether or not they are signed in to it.
  ///
  /// To get a token for one of them, set ``ApplicationConfiguration/broker`` and use its identifier in a silent request.
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``.
  public func brokerAccounts(
    _ request: BrokerRequest = BrokerRequest(), cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [BrokerAccount] {
    let client = try brokerClient(request, cancellation)
    return try client.convertingFailure { () throws(BrokerFailure) in try client.accounts() }
      .map(BrokerAccount.init)
  }

  /// Returns the cookies that sign in an account of the broker in a browser.
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``; `fixRequest` for an address outside the authority's
  ///   cloud, to which the cookie must not be sent; `signIn` for an account that the broker does not have.
  public func brokerCookies(
    _ request: BrokerCookieRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [BrokerCookie] {
    let client = try brokerClient(request.common, cancellation)
    // The cookie is equivalent to the user's password, so it is only for the pages of the provider.
    guard let page = WebURL(request.ssoURL), page.mayCarrySecrets,
      client.authority.isPage(at: page.authority)
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "sso_url must be the https address of a sign-in page in the authority's cloud.")
    }
    return try client.convertingFailure { () throws(BrokerFailure) in
      try client.checkAuthority()
      let scopes =
        request.scopes.isEmpty ? ["https://graph.microsoft.com/.default"] : request.scopes
      var tokenRequest = client.request(Scopes(scopes))
      tokenRequest.account = try client.account(request.homeAccountID, named: nil)
      let response = try client.response(
        to: .cookie(tokenRequest, ssoURL: request.ssoURL), BrokerClient.serverTimeoutMilliseconds)
      return try BrokerFailure.wrapping { () throws(LinuxBrokerError) in try response.cookies() }
    }.map { BrokerCookie(name: $0.name, content: $0.content) }
  }

  /// Returns the broker's signature of a request to a resource (`SignedHttpRequest`).
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``; `retryLater` with code `broker_unresponsive` also
  ///   if the broker does not support signatures.
  public func brokerSignedRequest(
    _ request: BrokerSigningRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Secret {
    guard let url = WebURL(request.url), request.httpMethod.nonBlank != nil,
      request.homeAccountID.nonBlank != nil
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "A request to sign needs home_account_id, http_method and a url with a host: pass all three."
      )
    }
    let client = try brokerClient(request.common, cancellation)
    var signed = LinuxBrokerSignedRequest(
      homeAccountID: request.homeAccountID.normalised, httpMethod: request.httpMethod,
      host: url.authority, path: request.path)
    signed.nonce = request.nonce
    signed.clientClaims = request.clientClaims
    signed.keyID = request.keyID
    return try client.convertingFailure { () throws(BrokerFailure) in
      let call = LinuxBrokerCall.signed(signed, of: client.identity)
      let response = try client.response(to: call, BrokerClient.serverTimeoutMilliseconds)
      return try BrokerFailure.wrapping { () throws(LinuxBrokerError) in
        try response.signedRequest()
      }
    }
  }

  /// Validates a request, and returns the broker client for it.
  private func brokerClient(
    _ request: BrokerRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> BrokerClient {
    try RequestRules.correlationID(request.correlationID)
    let limits = CallLimits(
      timeout: request.timeout, cancellation: cancellation,
      time: dependencies.time)
    let serverClient = ServerClient(
      dependencies, limits: limits, correlationID: request.correlationID)
    return BrokerClient(
      application: self, authority: try authority(named: request.authority), limits: limits,
      correlationID: serverClient.identified().correlationID)
  }
}

extension Authority {
  /// Whether a host has sign-in pages of this authority's cloud.
  fileprivate func isPage(at host: String) -> Bool {
    host == address.authority || cloud?.aliases.contains(host) == true
  }
}

extension BrokerSigningRequest {
  /// The path of the address as it is written, which the resource compares (RFC 3986 section 3.3).
  fileprivate var path: String {
    let afterScheme = url.drop { $0 != ":" }.drop { ":/".contains($0) }
    let path = afterScheme.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    return path.isEmpty ? "/" : String(path)
  }
}
