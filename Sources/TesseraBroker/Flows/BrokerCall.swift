// SPDX-License-Identifier: MIT
// Calls of the broker other than token requests.

import TesseraEngine
import TesseraWire

/// A call of the broker that requests no token.
struct BrokerCall {
  private let client: BrokerClient

  /// Validates a request.
  init(
    _ context: FlowContext, _ request: BrokerRequest,
    within limits: CallLimits
  ) throws(TesseraError) {
    try RequestRules.correlationID(request.correlationID)
    let serverClient = ServerClient(
      context.dependencies, limits: limits, correlationID: request.correlationID)
    client = BrokerClient(
      broker: context.dependencies.feature(BrokerFlows.self)?.broker ?? NoBroker(),
      context: context,
      authority: try context.authority(named: request.authority),
      limits: limits,
      correlationID: serverClient.identified().correlationID)
  }

  /// Returns the version of the broker.
  func version() throws(TesseraError) -> String {
    try client.convertingFailure { () throws(BrokerFailure) in try client.version() }
  }

  /// Returns the accounts that the broker has for the application.
  func accounts() throws(TesseraError) -> [BrokerAccount] {
    try client.convertingFailure { () throws(BrokerFailure) in try client.accounts() }
      .map(BrokerAccount.init)
  }

  /// Returns the cookies that sign in an account in a browser.
  func cookies(_ request: BrokerCookieRequest) throws(TesseraError) -> [BrokerCookie] {
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

  /// Returns the broker's signature of a request to a resource.
  func signedRequest(_ request: BrokerSigningRequest) throws(TesseraError) -> Secret {
    guard let url = WebURL(request.url), request.httpMethod.nonBlank != nil,
      request.homeAccountID.nonBlank != nil
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "A request to sign needs home_account_id, http_method and a url with a host: pass all three."
      )
    }
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
